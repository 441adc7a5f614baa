// What an atomic operation reads and writes, and what those learn who read it.
//
// Memory is sequentially consistent: an operation reads the latest value and writes over it, while
// nobody else moves (hooks/atomic.cpp). Memory orders matter for what a data race is, and for
// nothing else: a write publishes what its process knows, if it releases; a read takes that over,
// if it acquires. This is the place where an operation that reads an older value would choose it.
//
// Updates of one mode whose results nobody uses are explored in one order, and stand for all others
// (operations.hpp). In another order each may learn from others of them, or from none. So it is
// credited with what it learns in any order: what was released before the first of them. Whoever
// comes after them learns from all. An access that then seems to race may do so in another order
// only, or in none, if these updates are in order for another reason; so it must be known whether
// an update was credited with less than it learnt here.
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/ids.hpp"
#include "core/list.hpp"
#include "host/memory_orders.hpp"
#include "host/protocol.hpp"
#include "native/memory_model/clocks.hpp"

namespace mazurka::threads {
using namespace host;
using namespace native;
using namespace host;

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
  std::uint64_t operand = 0;  // of an update that may add up
};

/// Bits of a variable that are set in whatever order. Which of two processes that set the same bit
/// has changed it depends on the order, and must not matter: the other one might have.
class BitsInAnyOrder {
 public:
  /// The process sets these bits. Returns whether that changes nothing in any order: they were
  /// there before anybody began to set bits, or the process has set them itself since then.
  [[nodiscard]] bool repeats(ProcessId process, std::uint64_t bits, std::uint64_t before) {
    if (before != left_) {  // something else was done with the variable
      there_ = before;
      own_.clear();
    }
    left_ = before | bits;
    auto known = std::find_if(own_.begin(), own_.end(),
                              [&](const Own& one) { return one.process == process; });
    if (known == own_.end()) known = own_.insert(known, {process, 0});
    const bool repeated = (bits & ~(there_ | known->bits)) == 0;
    known->bits |= bits;
    return repeated;
  }

  friend bool operator==(const BitsInAnyOrder&, const BitsInAnyOrder&) = default;

 private:
  struct Own {
    ProcessId process{};
    std::uint64_t bits = 0;
    friend bool operator==(const Own&, const Own&) = default;
  };
  std::uint64_t there_ = 0;
  std::uint64_t left_ = 0;
  List<Own> own_;
};

/// What those get to know who acquire from an atomic variable.
class AtomicCell {
 public:
  /// The process has performed the operation. Returns whether those who acquire from here get to
  /// know all that they would have without it.
  bool perform(const AtomicResult& result, MemoryOrder order, ProcessId process,
               Knowledge& knowledge) {
    updates_ = 0;
    if (result.reads) {
      (acquires(order) ? knowledge.now : knowledge.fence_acquire).join(released_);
    }
    if (!result.writes) return true;
    const VectorClock& published = releases(order) ? knowledge.now : knowledge.fence_release;
    const bool keeps = result.reads || released_.is_known_to(published, published);
    if (result.reads) {
      released_.join(published);  // a read-modify-write continues the release sequence
    } else {
      released_.assign(published);
    }
    if (releases(order)) knowledge.now.tick(process);
    return keeps;
  }
  /// The process has performed an update of this mode whose result nobody uses. Returns whether it
  /// was credited with all that it learns here.
  [[nodiscard]] bool add_up(std::uint8_t mode, MemoryOrder order, ProcessId process,
                            Knowledge& knowledge) {
    if (updates_ != mode) {
      updates_ = mode;
      before_updates_.assign(released_);
    }
    VectorClock& learns = acquires(order) ? knowledge.now : knowledge.fence_acquire;
    learns.join(before_updates_);
    const bool all = released_.is_known_to(knowledge.now, learns);
    released_.join(releases(order) ? knowledge.now : knowledge.fence_release);
    if (releases(order)) knowledge.now.tick(process);
    return all;
  }
  [[nodiscard]] const VectorClock& released() const { return released_; }
  [[nodiscard]] BitsInAnyOrder& set_bits() { return set_bits_; }
  [[nodiscard]] BitsInAnyOrder& cleared_bits() { return cleared_bits_; }

  /// Who acquires from it knows all that this one does.
  void publish(const VectorClock& knowledge) {
    updates_ = 0;
    released_.assign(knowledge);
  }

  friend bool operator==(const AtomicCell&, const AtomicCell&) = default;

 private:
  VectorClock released_;
  VectorClock before_updates_;  // what was released before the updates in any order ...
  std::uint8_t updates_ = 0;    // ... of this mode that came last, if not 0
  BitsInAnyOrder set_bits_;
  BitsInAnyOrder cleared_bits_;
};

inline void perform_fence(MemoryOrder order, ProcessId process, Knowledge& knowledge) {
  if (acquires(order)) knowledge.now.join(knowledge.fence_acquire);
  if (!releases(order)) return;
  knowledge.fence_release.assign(knowledge.now);
  knowledge.now.tick(process);
}

}  // namespace mazurka::threads
