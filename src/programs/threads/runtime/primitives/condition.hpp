// The rule of a condition variable: whoever waits goes on when it is woken, and whom a signal wakes
// is a matter of choice. A futex is waited on alike.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/check.hpp"
#include "core/ids.hpp"
#include "core/vocabulary.hpp"
#include "programs/threads/runtime/primitives/operations.hpp"

namespace mazurka::threads {

class Condition {
 public:
  struct Waiter {
    ProcessId process{};
    ObjectId mutex{};    // to be held again; none for a futex
    bool timed = false;  // can go on without a signal
    friend bool operator==(const Waiter&, const Waiter&) = default;
  };
  static constexpr ObjectId no_mutex{0xffffffff};

  /// `wakes`: how many at most, of a signal.
  [[nodiscard]] static Access access(ObjectId object, std::uint8_t mode, std::uint16_t wakes = 0) {
    return {object, kind::condition, mode, wakes};
  }

  [[nodiscard]] const std::vector<Waiter>& waiters() const { return waiters_; }
  /// Who waits, in whatever order they came; 0: nobody.
  [[nodiscard]] std::uint64_t value() const {
    std::uint64_t digest = 0;
    for (const Waiter& one : waiters_) {
      digest ^= fingerprint_of(index(one.process) + 1, one.timed ? 1 : 0).low;
    }
    return digest;
  }

  void start_waiting(const Waiter& waiter) {
    const auto place = std::find_if(waiters_.begin(), waiters_.end(), [&](const Waiter& other) {
      return index(other.process) > index(waiter.process);
    });
    MAZURKA_CHECK(place == waiters_.begin() || (place - 1)->process != waiter.process,
                  "a process waits once");
    waiters_.insert(place, waiter);
  }
  /// Whether nobody has signalled the process.
  [[nodiscard]] bool still_waits(ProcessId process) const {
    return std::any_of(waiters_.begin(), waiters_.end(),
                       [&](const Waiter& one) { return one.process == process; });
  }
  /// False: it did not wait any more.
  bool stop_waiting(ProcessId process) {
    return std::erase_if(waiters_, [&](const Waiter& one) { return one.process == process; }) != 0;
  }

  /// In how many ways so many of those who wait can be woken; 0: more than can be told apart.
  [[nodiscard]] std::uint16_t ways_to_wake(std::size_t count) const {
    return ways_to_choose(std::min(count, waiters_.size()), waiters_.size());
  }
  /// Whom the step wakes that is taken with this choice, one of the ways.
  [[nodiscard]] std::vector<Waiter> woken(std::size_t count, std::size_t choice) const;

  friend bool operator==(const Condition&, const Condition&) = default;

 private:
  [[nodiscard]] static std::uint16_t ways_to_choose(std::size_t chosen, std::size_t number);

  std::vector<Waiter> waiters_;  // sorted by process
};

/// In how many ways so many can be chosen out of a number; 0: more than can be told apart.
inline std::uint16_t Condition::ways_to_choose(std::size_t chosen, std::size_t number) {
  std::uint64_t ways = 1;
  for (std::size_t at = 1; at <= chosen; ++at) {
    ways = ways * (number - chosen + at) / at;
    if (ways > 0xffff) return 0;
  }
  return static_cast<std::uint16_t>(ways);
}

inline std::vector<Condition::Waiter> Condition::woken(std::size_t count,
                                                       std::size_t choice) const {
  std::vector<Waiter> chosen;
  std::size_t wanted = std::min(count, waiters_.size());
  for (std::size_t at = 0; at < waiters_.size(); ++at) {
    // Those choices in which this one is woken come first.
    const std::size_t others = waiters_.size() - at - 1;
    const std::size_t with = wanted == 0 ? 0 : ways_to_choose(wanted - 1, others);
    if (choice < with) {
      chosen.push_back(waiters_[at]);
      --wanted;
    } else {
      choice -= with;
    }
  }
  MAZURKA_CHECK(wanted == 0 && chosen.size() == std::min(count, waiters_.size()),
                "a choice wakes as many as are to be woken");
  return chosen;
}

}  // namespace mazurka::threads
