// Vector clocks that say what a process may rely on: the happens-before of the language standard,
// by which two conflicting plain accesses either are ordered or are a data race.
//
// This is not the happens-before of the explorers. There, two atomic writes of one variable are
// ordered because exchanging them matters; here only synchronisation orders (create, join, unlock
// to lock, a release write to the acquire read that sees it).
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/ids.hpp"
#include "core/list.hpp"

namespace mazurka::threads {

class VectorClock {
 public:
  [[nodiscard]] std::uint32_t operator[](std::size_t process) const {
    return process < ticks_.size() ? ticks_[process] : 0;
  }
  void tick(ProcessId process) {
    grow(index(process) + 1);
    ++ticks_[index(process)];
  }
  void learn(ProcessId process, std::uint32_t tick) {
    grow(index(process) + 1);
    ticks_[index(process)] = std::max(ticks_[index(process)], tick);
  }
  void join(const VectorClock& other) {
    grow(other.ticks_.size());
    for (std::size_t at = 0; at < other.ticks_.size(); ++at) {
      ticks_[at] = std::max(ticks_[at], other.ticks_[at]);
    }
  }
  void assign(const VectorClock& other) { ticks_ = other.ticks_; }
  /// Whether the two together know all that this one does.
  [[nodiscard]] bool is_known_to(const VectorClock& one, const VectorClock& other) const {
    for (std::size_t at = 0; at < ticks_.size(); ++at) {
      if (ticks_[at] > one[at] && ticks_[at] > other[at]) return false;
    }
    return true;
  }
  void clear() { ticks_.clear(); }
  [[nodiscard]] bool empty() const { return ticks_.empty(); }
  friend bool operator==(const VectorClock&, const VectorClock&) = default;

 private:
  void grow(std::size_t size) {
    if (ticks_.size() < size) ticks_.resize(size, 0);
  }
  List<std::uint32_t> ticks_;
};

/// What a process knows, and what its fences have gathered.
struct Knowledge {
  VectorClock now;
  VectorClock fence_acquire;  // seen by reads that do not acquire; an acquire fence takes it over
  VectorClock fence_release;  // what a release fence allows later plain-order writes to publish
  VectorClock
      firm;  // of others, by creating and joining alone (firm_order.hpp); states are compared
  friend bool operator==(const Knowledge&, const Knowledge&) = default;
};

/// What those have done who came to a place where processes wait for them.
class Gathered {
 public:
  /// Everybody who passes will know what the process has done so far. `firm`: and so it is in each
  /// order of the steps with these states.
  void publish(ProcessId process, Knowledge& knowledge, bool firm = true) {
    now_.join(knowledge.now);
    if (firm) {
      firm_.join(knowledge.firm);
      firm_.learn(process, knowledge.now[index(process)]);
    }
    knowledge.now.tick(process);
  }
  void pass_on(Knowledge& knowledge) const {
    knowledge.now.join(now_);
    knowledge.firm.join(firm_);
  }
  friend bool operator==(const Gathered&, const Gathered&) = default;

 private:
  VectorClock now_;
  VectorClock firm_;
};

}  // namespace mazurka::threads
