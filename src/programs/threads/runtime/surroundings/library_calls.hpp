// Calls of functions of the C library that nobody has taken over.
//
// A hook takes the place of a function that synchronises, or touches much memory on the program's
// behalf. All others are the C library's own, and some of them share something that is no memory of
// the program's: the position in a file, a descriptor, a buffer of the library's own. So every
// function that the program and its libraries import is looked up in a table
// (library_functions.cpp). Of some it is known what they use, of most that they use nothing;
// whatever is not in the table counts as changing everything that is outside of memory. The slot
// from which such a function is called gets the address of an entry that notes the use and goes on
// to the function.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "programs/threads/runtime/surroundings/use.hpp"

namespace mazurka::threads {

struct LibraryFunction {
  enum class Of : std::uint8_t {
    nothing,         // that another thread could see
    its_own,         // that only the thread itself can see
    stream,          // the FILE* in the argument
    descriptor,      // the open file whose number is in the argument
    list,            // the DIR* in the argument
    numbers,         // which numbers descriptors have
    current_folder,  //
    environment,
    locale,
    everything
  };
  /// Memory that it reads or writes on the program's behalf.
  struct Touch {
    std::uint8_t argument = 0;  // points there
    bool writes = false;
    std::uint16_t size = 0;  // 0: none
  };

  Of of = Of::everything;
  Use use = Use::changes;
  std::uint8_t argument = 0;
  std::array<Touch, 2> touches{};

  [[nodiscard]] bool does_something() const { return of != Of::nothing || touches[0].size != 0; }
};

[[nodiscard]] LibraryFunction library_function(std::string_view name);

/// Looks at all that is loaded and has not been looked at.
void watch_library_calls();

}  // namespace mazurka::threads
