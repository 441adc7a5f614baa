// Where processes come again without having changed anything in between.
//
// Whether a process goes round in circles can only be told from its state when it was there before,
// and to take a state down costs more than most operations do. But few sites are ever come to
// again. So states are taken down only where that has happened. The first time it does, the
// execution is performed once more, with the states of that round; all the executions before it are
// as they would have been with them, since no state of theirs would have been looked at.
//
// To perform an execution again must not become the most of the work (a long one may come to ever
// new loops): after too much of that, states are taken down everywhere.
#pragma once

#include <cstdint>

#include "core/ids.hpp"
#include "programs/threads/runtime/state/cells.hpp"

namespace mazurka::threads {

class RepeatedSites {
 public:
  /// Whether states are taken down there.
  [[nodiscard]] bool contains(ProcessId process, std::uintptr_t code) const {
    return everywhere_ || known_.contains(key(process, code));
  }
  void insert(ProcessId process, std::uintptr_t code) { known_.insert(key(process, code)); }
  /// Changes whenever there are more.
  [[nodiscard]] std::size_t size() const { return known_.size() + (everywhere_ ? 1 : 0); }
  /// So many steps will be performed again for that, of so many so far.
  void note_cost(std::uint64_t steps, std::uint64_t of) {
    again_ += steps;
    if (again_ > at_least + of / part) everywhere_ = true;
  }

 private:
  static constexpr std::uint64_t at_least = 20'000;
  static constexpr std::uint64_t part = 16;

  // Of an address, 48 bits are in use.
  [[nodiscard]] static std::uintptr_t key(ProcessId process, std::uintptr_t code) {
    return code ^ static_cast<std::uintptr_t>(index(process)) << 48U;
  }

  AddressSet known_;
  std::uint64_t again_ = 0;
  bool everywhere_ = false;
};

}  // namespace mazurka::threads
