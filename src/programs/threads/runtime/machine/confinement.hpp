// The program under test asks the kernel for nothing that we do not know of.
//
// A filter in the kernel (host/system_calls.hpp) turns every system call that it does not know to
// be harmless into a signal, whether the C library makes it, the function `syscall`, or an
// instruction of the program's own. The handler answers in the kernel's place: numbers of processes
// are those that the program knows, files are those of its execution, and what reaches outside is
// refused by name. What the runtime asks for itself is passed on.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace mazurka::threads {

/// The numbers by which the program knows itself and whoever has started it. Its threads have the
/// numbers from its own one on.
inline constexpr pid_t own_number = 1000;
inline constexpr pid_t parent_number = 999;
/// So many processors it finds, wherever it runs: the fewest with which it does two things at once.
inline constexpr int own_processors = 2;

struct SystemCall {
  long number = 0;
  std::array<long, 6> arguments{};
};

struct Answer {
  enum class Kind : std::uint8_t {
    result,   // the program goes on, with this value
    refused,  // it may not: the check ends with a message
    ends,     // the program ends itself, with this exit code
    killed,   // the program sends itself this signal
  };
  Kind kind = Kind::result;
  long value = 0;
  std::string reason{};  // refused: in words; empty: the name of the call says it all
};

/// What the program gets to hear (surroundings/system_calls.cpp).
[[nodiscard]] Answer answer(const SystemCall& call);

/// From now on. False: the kernel can not do that.
bool confine(const std::vector<std::uint64_t>& filter, std::uint64_t key);

}  // namespace mazurka::threads
