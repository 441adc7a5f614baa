// Whether what a library reads or writes on the program's behalf stays within one variable.
//
// A compiler sees how far a program reaches beyond an array itself, the receive of a message is
// told a count. Where local and global variables end only the front process can read out of the
// debugging information. So each access that was not seen before, at this address, of this size and
// from this call, is shown to it once; what stays within is not asked about again.
#pragma once

#include <cstdint>
#include <set>
#include <tuple>

#include "programs/threads/runtime/part.hpp"

namespace mazurka::threads {

class Races;

class VariableBounds : public Part {
 public:
  VariableBounds(Scheduler& scheduler, Races& races) : Part(scheduler), races_(races) {}

  /// A finding if it reaches beyond the variable in which it begins. `code`: the call.
  void require(std::uintptr_t address, std::size_t size, bool write, const void* code);

 private:
  Races& races_;
  std::set<std::tuple<std::uintptr_t, std::size_t, const void*>> within_;
};

}  // namespace mazurka::threads
