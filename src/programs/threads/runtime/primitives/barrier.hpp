// The rule of a barrier: those who arrive leave when a round of them is complete.
//
// Any of those that a round lets through may be the serial one. Where that can make a difference,
// because some of them may look, it is an outcome of one step: the first of them to look, by
// number, leaves first and chooses; the others who look wait for that step. That takes no behaviour
// away, since nobody can tell when somebody has left. Those who do not look leave as they like.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/check.hpp"
#include "core/ids.hpp"
#include "core/vocabulary.hpp"
#include "native/memory_model/clocks.hpp"
#include "programs/threads/runtime/primitives/operations.hpp"

namespace mazurka::threads {
using namespace native;

/// Whether those who meet at a barrier learn what the others have done.
enum class Meeting : std::uint8_t { ordering, silent };

class Barrier {
 public:
  struct Round {
    std::vector<ProcessId> lookers;  // may look whether they are the serial one
    ProcessId chooser = no_process;  // the first of them: its step says who that is
    ProcessId serial = no_process;   // one of them, or no_process for one who does not look
    VectorClock gathered;
    friend bool operator==(const Round&, const Round&) = default;
  };
  struct Waiting {
    ProcessId process{};
    std::uint16_t rounds = 0;
    friend bool operator==(const Waiting&, const Waiting&) = default;
  };

  [[nodiscard]] static Access access(ObjectId object, std::uint8_t mode, std::uint16_t rounds = 0) {
    return {object, kind::barrier, mode, rounds};
  }

  /// There is another one from now on. Its rounds are counted on: some may still be on their way
  /// out of one that is complete.
  void set_up(unsigned count) {
    earlier_ = complete() + (value() >> 32 != 0 ? 1 : 0);
    arrivals_ = 0;
    count_ = count;
    destroyed_ = false;
    users_.clear();
  }
  [[nodiscard]] bool is_initialised() const { return count_ != 0; }
  [[nodiscard]] bool is_destroyed() const { return destroyed_; }
  void destroy() { destroyed_ = true; }

  /// How many rounds are complete, and how many have arrived since.
  [[nodiscard]] std::uint64_t value() const { return barrier_value(arrivals_, count_) + earlier_; }
  [[nodiscard]] std::size_t complete() const { return earlier_ + arrivals_ / std::max(count_, 1U); }
  [[nodiscard]] unsigned count() const { return count_; }
  [[nodiscard]] std::size_t arrivals() const { return arrivals_; }
  [[nodiscard]] Round& round(std::size_t nth) {
    if (rounds_.size() <= nth) rounds_.resize(nth + 1);
    return rounds_[nth];
  }
  /// How many outcomes the step has that chooses the serial one: each who looks, or another.
  [[nodiscard]] std::uint16_t choices(const Round& round) const {
    const std::size_t lookers = round.lookers.size();
    return static_cast<std::uint16_t>(lookers == count_ ? lookers : lookers + 1);
  }

  /// The process uses it. True: more do than it lets through at once.
  bool add_user(ProcessId process) {
    if (std::find(users_.begin(), users_.end(), process) == users_.end()) {
      users_.push_back(process);
    }
    return users_.size() > count_;
  }

  /// The process arrives; the round that it belongs to.
  std::size_t arrive(ProcessId process, bool looks, VectorClock& knowledge) {
    MAZURKA_CHECK(count_ > 0, "processes arrive at a barrier that was initialised");
    const std::size_t nth = complete();
    ++arrivals_;
    Round& own = round(nth);
    if (looks) own.lookers.push_back(process);
    own.gathered.join(knowledge);
    knowledge.tick(process);
    if (arrivals_ % count_ == 0) settle(own);
    return nth;
  }

  /// The process is parked until so many rounds are complete.
  void wait(ProcessId process, std::uint16_t rounds) { waiting_.push_back({process, rounds}); }
  void stop_waiting(ProcessId process) {
    std::erase_if(waiting_, [&](const Waiting& one) { return one.process == process; });
  }
  [[nodiscard]] const std::vector<Waiting>& waiting() const { return waiting_; }
  /// Whether somebody waits for a round that is not complete.
  [[nodiscard]] bool keeps_waiting() const {
    return std::any_of(waiting_.begin(), waiting_.end(), [&](const Waiting& one) {
      return !rounds_are_complete(one.rounds, value());
    });
  }

  friend bool operator==(const Barrier&, const Barrier&) = default;

 private:
  // The round is complete: who chooses?
  void settle(Round& own) const {
    if (own.lookers.empty()) return;
    if (count_ == 1) {
      own.serial = own.lookers.front();
      return;
    }
    std::sort(own.lookers.begin(), own.lookers.end());
    own.chooser = own.lookers.front();
  }

  bool destroyed_ = false;
  unsigned count_ = 0;        // 0: not initialised
  std::size_t arrivals_ = 0;  // since it was initialised
  std::size_t earlier_ = 0;   // rounds
  std::vector<Round> rounds_;
  std::vector<ProcessId> users_;
  std::vector<Waiting> waiting_;
};

}  // namespace mazurka::threads
