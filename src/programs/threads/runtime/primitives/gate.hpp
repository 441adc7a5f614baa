// The rule of a gate: a number that lets a process pass while it suits the process's wish.
//
// That is all that a read-write lock (how many hold it, or who writes), a spin lock and a semaphore
// are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/check.hpp"
#include "core/ids.hpp"
#include "core/vocabulary.hpp"
#include "native/memory_model/clocks.hpp"
#include "programs/threads/runtime/primitives/operations.hpp"

namespace mazurka::threads {
using namespace native;

/// What a gate is to the program.
enum class GateUse : std::uint8_t { read_write_lock, spin_lock, semaphore };
[[nodiscard]] constexpr std::string_view name(GateUse use) {
  switch (use) {
    case GateUse::read_write_lock: return "read-write lock";
    case GateUse::spin_lock: return "spin lock";
    case GateUse::semaphore: return "semaphore";
  }
  return "lock";
}
[[nodiscard]] constexpr std::uint8_t kind_of(GateUse use) {
  return use == GateUse::read_write_lock ? kind::read_write_lock : kind::gate;
}

class Gate {
 public:
  struct Waiting {
    ProcessId process{};
    std::uint16_t wish = 0;
    friend bool operator==(const Waiting&, const Waiting&) = default;
  };

  [[nodiscard]] static Access access(ObjectId object, std::uint8_t mode, std::uint16_t wish = 0,
                                     GateUse use = GateUse::semaphore) {
    return {object, kind_of(use), mode, wish};
  }

  [[nodiscard]] std::uint64_t value() const { return value_; }
  /// As if it were new; who is parked stays there.
  void set_up(std::uint64_t value) {
    value_ = value;
    holders_.clear();
    released_ = {};
    shared_released_ = {};
  }
  [[nodiscard]] bool allows(std::uint16_t wish) const { return gate_allows(wish, value_); }
  /// Whether somebody waits who cannot go on: not only has come here.
  [[nodiscard]] bool keeps_waiting() const {
    return std::any_of(waiting_.begin(), waiting_.end(),
                       [&](const Waiting& one) { return !allows(one.wish); });
  }
  [[nodiscard]] bool is_held_alone() const { return (value_ & gate_writer) != 0; }
  [[nodiscard]] bool is_held_alone_by(ProcessId process) const {
    return value_ == held_by(process);
  }
  [[nodiscard]] bool is_shared_by(ProcessId process) const {
    return !is_held_alone() &&
           std::find(holders_.begin(), holders_.end(), process) != holders_.end();
  }
  /// Who holds it alone; only if somebody does.
  [[nodiscard]] ProcessId holder() const {
    MAZURKA_CHECK(is_held_alone(), "who holds a gate alone is asked of one that is held so");
    return static_cast<ProcessId>((value_ & ~gate_writer) - 1);
  }

  /// The process is parked until the number suits it.
  void wait(ProcessId process, std::uint16_t wish) { waiting_.push_back({process, wish}); }
  void stop_waiting(ProcessId process) {
    std::erase_if(waiting_, [&](const Waiting& one) { return one.process == process; });
  }
  [[nodiscard]] const std::vector<Waiting>& waiting() const { return waiting_; }
  /// Of a lock, each as often as it holds it.
  [[nodiscard]] const std::vector<ProcessId>& holders() const { return holders_; }

  /// The process has passed: the number follows, and it knows what those before it have published.
  void enter(ProcessId process, std::uint16_t wish, VectorClock& knowledge) {
    stop_waiting(process);
    MAZURKA_CHECK(allows(wish), "a process passes a gate that lets it pass");
    knowledge.join(released_);
    if (wish == gate_wish::token) {
      --value_;
      return;
    }
    if (wish == gate_wish::alone) {
      knowledge.join(shared_released_);
      value_ = held_by(process);
    } else {
      ++value_;
    }
    holders_.push_back(process);
  }

  /// The process changes the number, and publishes what it has done so far.
  void change(ProcessId process, std::uint64_t after, VectorClock& knowledge) {
    publish(released_, process, knowledge);
    value_ = after;
  }
  /// The same, and it is one holder less.
  void unlock(ProcessId process, std::uint64_t after, VectorClock& knowledge) {
    publish(is_held_alone() ? released_ : shared_released_, process, knowledge);
    const auto holder = std::find(holders_.begin(), holders_.end(), process);
    if (holder != holders_.end()) holders_.erase(holder);
    value_ = after;
  }

  friend bool operator==(const Gate&, const Gate&) = default;

 private:
  [[nodiscard]] static std::uint64_t held_by(ProcessId process) {
    return gate_writer | (index(process) + 1);
  }
  static void publish(VectorClock& released, ProcessId process, VectorClock& knowledge) {
    released.join(knowledge);
    knowledge.tick(process);
  }

  std::uint64_t value_ = 0;
  std::vector<Waiting> waiting_;
  std::vector<ProcessId> holders_;
  VectorClock released_;         // by whoever held it alone, or gave a token
  VectorClock shared_released_;  // by those who shared it: they do not order each other
};

}  // namespace mazurka::threads
