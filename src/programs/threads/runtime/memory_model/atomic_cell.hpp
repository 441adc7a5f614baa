// What an atomic operation reads and writes, and what those learn who read it.
//
// Memory is sequentially consistent: an operation reads the latest value and writes over it, while
// nobody else moves (hooks/atomic.cpp). Memory orders matter for what a data race is, and for
// nothing else: a write publishes what its process knows, if it releases; a read takes that over,
// if it acquires. This is the place where an operation that reads an older value would choose it.
#pragma once

#include <cstdint>

#include "core/ids.hpp"
#include "host/protocol.hpp"
#include "programs/threads/runtime/memory_model/clocks.hpp"

namespace mazurka::threads {

/// As compilers number them.
enum class MemoryOrder : int {
  relaxed = 0,
  consume = 1,
  acquire = 2,
  release = 3,
  acquire_release = 4,
  sequentially_consistent = 5,
};
[[nodiscard]] constexpr bool acquires(MemoryOrder order) {
  return order == MemoryOrder::consume || order == MemoryOrder::acquire ||
         order == MemoryOrder::acquire_release || order == MemoryOrder::sequentially_consistent;
}
[[nodiscard]] constexpr bool releases(MemoryOrder order) {
  return order == MemoryOrder::release || order == MemoryOrder::acquire_release ||
         order == MemoryOrder::sequentially_consistent;
}

/// What an operation has turned out to do.
struct AtomicResult {
  Action action{};
  std::uint64_t value = 0;
  std::uint64_t new_value = 0;
  bool reads = false;
  bool writes = false;
  bool changes = false;    // the value is another one now
  std::uint64_t high = 0;  // the upper halves, of 16 bytes
  std::uint64_t new_high = 0;
};

/// What those get to know who acquire from an atomic variable.
class AtomicCell {
 public:
  /// The process has performed the operation.
  void perform(const AtomicResult& result, MemoryOrder order, ProcessId process,
               Knowledge& knowledge) {
    if (result.reads) {
      (acquires(order) ? knowledge.now : knowledge.fence_acquire).join(released_);
    }
    if (!result.writes) return;
    const VectorClock& published = releases(order) ? knowledge.now : knowledge.fence_release;
    if (result.reads) {
      released_.join(published);  // a read-modify-write continues the release sequence
    } else {
      released_.assign(published);
    }
    if (releases(order)) knowledge.now.tick(process);
  }
  /// Who acquires from it knows all that this one does.
  void publish(const VectorClock& knowledge) { released_.assign(knowledge); }

  friend bool operator==(const AtomicCell&, const AtomicCell&) = default;

 private:
  VectorClock released_;
};

inline void perform_fence(MemoryOrder order, ProcessId process, Knowledge& knowledge) {
  if (acquires(order)) knowledge.now.join(knowledge.fence_acquire);
  if (!releases(order)) return;
  knowledge.fence_release.assign(knowledge.now);
  knowledge.now.tick(process);
}

}  // namespace mazurka::threads
