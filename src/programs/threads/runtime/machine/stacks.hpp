// The stacks of the processes: each begins as zeros, or with the frames that every execution has in
// common (quiet_beginning.hpp).
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

#include "programs/threads/runtime/machine/call_site.hpp"
#include "programs/threads/runtime/machine/memory.hpp"
#include "programs/threads/runtime/machine/memory_image.hpp"

namespace mazurka::threads {

class Stacks {
 public:
  void begin(std::size_t slot) {
    if (deepest_.size() <= slot) deepest_.resize(slot + 1, 0);
    if (deepest_[slot] == 0) {  // nobody was ever there: zeros, as the system has given it
      deepest_[slot] = stack_top(slot);
      return;
    }
    const std::size_t kept = slot == 0 ? first_.size() : 0;
    const std::uintptr_t end = stack_top(slot) - kept;
    const std::uintptr_t begin = std::min(lowest(slot), end);
    std::memset(reinterpret_cast<void*>(begin), 0, end - begin);
    std::copy_n(first_.begin(), kept, reinterpret_cast<std::byte*>(end));
  }

  /// The first process's begins as it is now, down to `pointer`.
  void keep_first(std::uintptr_t pointer) {
    const auto* begin = reinterpret_cast<const std::byte*>(pointer);
    first_.assign(begin, reinterpret_cast<const std::byte*>(stack_top(0)));
    note_use(0, pointer);
  }

  /// The stack of a process that stands in a hook at `pointer`. The program's own part ends at
  /// `frame`, if that is known, and the hook's is further down (call_site.hpp): what lies between
  /// is not in use. What shows through in the gaps of frames is not always the same, so none of it
  /// is taken for the program's when copies are compared.
  void copy_into(MemoryImage& image, std::size_t slot, std::uintptr_t pointer,
                 std::uintptr_t frame) const {
    constexpr std::size_t most_of_hook = std::size_t{8} << 10;
    const std::uintptr_t hook = frame - far_down;
    if (in_zone(frame) && slot_of(frame) == slot && in_stack_of(slot, frame) && pointer <= hook &&
        hook - pointer < most_of_hook) {
      const std::uintptr_t begin = std::max(std::min(lowest(slot), frame - below), hook);
      image.add(pointer, hook - pointer, true);
      image.add(begin, stack_top(slot) - begin, true);
    } else {
      const std::uintptr_t begin = std::min(lowest(slot), pointer);
      image.add(begin, stack_top(slot) - begin, true);
    }
  }

  void note_use(std::size_t slot, std::uintptr_t down_to) {
    if (down_to >= deepest_[slot]) return;
    deepest_[slot] = down_to;
    ++deepened_;
  }
  /// How often more of a stack was used than ever before.
  [[nodiscard]] std::uint64_t deepened() const { return deepened_; }

 private:
  static constexpr std::size_t below = 1024;  // frames of functions that called no hook

  [[nodiscard]] std::uintptr_t lowest(std::size_t slot) const {
    return std::max(deepest_[slot] - below, slot_begin(slot) + guard_size);
  }

  std::vector<std::uintptr_t> deepest_;  // by slot; 0: not known
  std::vector<std::byte> first_;         // what the first process's begins with
  std::uint64_t deepened_ = 0;
};

}  // namespace mazurka::threads
