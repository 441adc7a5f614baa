// Vector clocks that say what a process may rely on: the happens-before of the language standard,
// by which two conflicting plain accesses either are ordered or are a data race.
//
// This is not the happens-before of the explorers. There, two atomic writes of one variable are
// ordered because exchanging them matters; here only synchronisation orders (create, join, unlock
// to lock, a release write to the acquire read that sees it).
#pragma once

#include <algorithm>
#include <cstdint>

#include "core/check.hpp"
#include "core/ids.hpp"
#include "core/list.hpp"

namespace mazurka::native {

class VectorClock {
 public:
  [[nodiscard]] std::uint32_t operator[](std::size_t process) const {
    return process < ticks_.size() ? ticks_[process] : 0;
  }
  void tick(ProcessId process) {
    MAZURKA_CHECK(process != no_process, "a clock has an entry for each process");
    grow(index(process) + 1);
    ++ticks_[index(process)];
  }
  void learn(ProcessId process, std::uint32_t tick) {
    grow(index(process) + 1);
    ticks_[index(process)] = std::max(ticks_[index(process)], tick);
  }
  void join(const VectorClock& other) {
    join(ticks_, other.ticks_);
    join(seen_, other.seen_);
  }
  void assign(const VectorClock& other) {
    ticks_ = other.ticks_;
    seen_ = other.seen_;
  }
  /// Whatever that one knows or sees is seen from now on. That orders what values there are, and
  /// no accesses: what is seen is handed on with what is known, but is no reason to rely on it.
  void see(const VectorClock& other) {
    join(seen_, other.ticks_);
    join(seen_, other.seen_);
  }
  [[nodiscard]] std::uint32_t sees(std::size_t process) const {
    return std::max((*this)[process], process < seen_.size() ? seen_[process] : 0);
  }
  /// Of what the process has done only that up to this tick.
  void limit(ProcessId process, std::uint32_t tick) {
    MAZURKA_CHECK(process != no_process, "a clock has an entry for each process");
    if ((*this)[index(process)] > tick) ticks_[index(process)] = tick;
  }
  /// Whether the two together know all that this one does.
  [[nodiscard]] bool is_known_to(const VectorClock& one, const VectorClock& other) const {
    for (std::size_t at = 0; at < ticks_.size(); ++at) {
      if (ticks_[at] > one[at] && ticks_[at] > other[at]) return false;
    }
    for (std::size_t at = 0; at < seen_.size(); ++at) {
      if (seen_[at] > one.sees(at) && seen_[at] > other.sees(at)) return false;
    }
    return true;
  }
  void clear() {
    ticks_.clear();
    seen_.clear();
  }
  [[nodiscard]] bool empty() const { return ticks_.empty() && seen_.empty(); }
  friend bool operator==(const VectorClock&, const VectorClock&) = default;

 private:
  using Ticks = List<std::uint32_t>;
  void grow(std::size_t size) {
    if (ticks_.size() < size) ticks_.resize(size, 0);
  }
  static void join(Ticks& all, const Ticks& more) {
    if (all.size() < more.size()) all.resize(more.size(), 0);
    for (std::size_t at = 0; at < more.size(); ++at) all[at] = std::max(all[at], more[at]);
  }
  Ticks ticks_;
  Ticks seen_;  // beyond that
};

/// What a process knows, and what its fences have gathered.
struct Knowledge {
  VectorClock now;
  VectorClock fence_acquire;  // seen by reads that do not acquire; an acquire fence takes it over
  VectorClock fence_release;  // what a release fence allows later plain-order writes to publish
  VectorClock
      firm;  // of others, by creating and joining alone (firm_order.hpp); states are compared
  std::uint32_t fenced_up_to = 0;  // the tick of its latest step, if others fence it

  /// After a step: another process may make it pass a fence before whatever it does now.
  void let_fence(ProcessId process) {
    fenced_up_to = now[index(process)];
    now.tick(process);
  }
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

}  // namespace mazurka::native
