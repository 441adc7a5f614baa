// Finds every pair of accesses that nothing orders, with the stacks of both.
//
// The race detector (race_detector.hpp) keeps as little as is needed to find the first race of an
// execution, and after that one its records no longer speak for everybody. When some races are
// accepted (suppressions), an execution goes on after them: then each pair must be known, or one
// that is accepted would hide one that is not. So this ledger keeps, for each place, the latest
// access of each process from each stack: who does not know of an earlier one of the same kind from
// the same stack does not know of the latest either, and the two are judged alike.
//
// It is only used when there are suppressions: to note a stack takes longer than everything else
// that an access costs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/ids.hpp"
#include "native/memory_model/clocks.hpp"
#include "programs/threads/runtime/memory_model/race_detector.hpp"

namespace mazurka::threads {
using namespace native;

struct NotedAccess {
  ProcessId process{};
  std::uint32_t tick = 0;  // of its process, at that time
  std::uintptr_t address = 0;
  std::size_t size = 0;
  AccessKind kind{};
  bool primitive = false;   // a mutex or the like is set up, used or destroyed
  std::uint32_t stack = 0;  // StackNumbers

  friend bool operator==(const NotedAccess&, const NotedAccess&) = default;
  [[nodiscard]] bool overlaps(const NotedAccess& other) const {
    return address < other.address + other.size && other.address < address + size;
  }
};

class RaceLedger {
 public:
  void clear();

  /// Writes the access down; the earlier ones of other processes that race with it.
  const std::vector<NotedAccess>& add(const NotedAccess& access, const VectorClock& clock);

  friend bool operator==(const RaceLedger&, const RaceLedger&) = default;

 private:
  using Accesses = std::vector<NotedAccess>;
  void compare(const Accesses& earlier, const NotedAccess& access, const VectorClock& clock);
  static void put(Accesses& accesses, const NotedAccess& access);

  std::unordered_map<std::uintptr_t, Accesses> places_;  // by granule
  Accesses wide_;                                        // those of many granules
  Accesses racing_;                                      // what the latest access races with
};

/// Stacks are kept once each, for the whole exploration, and named by numbers.
class StackNumbers {
 public:
  [[nodiscard]] std::uint32_t number_of(const std::vector<std::uint64_t>& stack);
  [[nodiscard]] const std::vector<std::uint64_t>& stack(std::uint32_t number) const {
    return *stacks_[number];
  }

 private:
  struct HashOfStack {
    std::size_t operator()(const std::vector<std::uint64_t>& stack) const {
      std::size_t sum = stack.size();
      for (const std::uint64_t code : stack) sum = (sum ^ code) * 0x100000001b3U;
      return sum;
    }
  };
  std::unordered_map<std::vector<std::uint64_t>, std::uint32_t, HashOfStack> numbers_;
  std::vector<const std::vector<std::uint64_t>*> stacks_;
};

}  // namespace mazurka::threads
