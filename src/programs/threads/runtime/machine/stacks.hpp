// The stacks of the processes: each begins as zeros.
//
// Equal states of a process must look equal, down to the gaps between what it has written
// (loops/spin_recognition.cpp). To clear a whole stack would take long, so it is known how far down
// each was ever used.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "programs/threads/runtime/machine/memory.hpp"

namespace mazurka::threads {

class Stacks {
 public:
  void clear(std::size_t slot) {
    constexpr std::size_t at_first = std::size_t{256} << 10;
    constexpr std::size_t below = 1024;  // frames of functions that called no hook
    if (deepest_.size() <= slot) deepest_.resize(slot + 1, 0);
    const bool first = deepest_[slot] == 0;
    if (first) deepest_[slot] = stack_top(slot);
    const std::uintptr_t begin = first ? stack_top(slot) - at_first : deepest_[slot] - below;
    const std::uintptr_t lowest = slot_begin(slot) + guard_size;
    std::memset(reinterpret_cast<void*>(std::max(begin, lowest)), 0,
                stack_top(slot) - std::max(begin, lowest));
  }

  void note_use(std::size_t slot, std::uintptr_t down_to) {
    deepest_[slot] = std::min(deepest_[slot], down_to);
  }

 private:
  std::vector<std::uintptr_t> deepest_;  // by slot; 0: not known
};

}  // namespace mazurka::threads
