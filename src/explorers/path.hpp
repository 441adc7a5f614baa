// The current path through the tree of executions, and how to leave it.
//
// Every technique here walks the tree depth first: perform an execution, learn what it leaves open
// at the nodes on its path, leave the path at the deepest node that has something open. Node i is
// the state before event i. What the techniques share is this walk; what they differ in is what
// they find open.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/backtrack_sets.hpp"
#include "analysis/sleep_stack.hpp"
#include "core/check.hpp"
#include "core/execution.hpp"
#include "core/schedule.hpp"
#include "core/session.hpp"

namespace mazurka {

class Path {
 public:
  enum class Sleepers : std::uint8_t { kept_asleep, only_remembered };

  Path(Session& session, Sleepers sleepers, bool record_enabled);

  /// Performs the schedule made by leave() and decide(), or the very first one. False: the program
  /// did not do what it was told, and the search cannot go on.
  [[nodiscard]] bool perform();
  /// Where the path stands between two executions. load() performs the saved execution again;
  /// false: the program did not do what it did then.
  void save(ArchiveWriter& archive) const;
  [[nodiscard]] bool load(ArchiveReader& archive);
  /// Throws ArchiveError unless the path, as it was loaded, has an event there.
  void require_event(std::uint64_t at) const;

  /// The latest execution, and how many of its events it shares with the one before.
  [[nodiscard]] const Execution& execution() const { return *execution_; }
  [[nodiscard]] std::size_t kept() const { return kept_; }
  [[nodiscard]] const SleepStack& sleepers() const { return sleepers_; }

  /// Everything after the node's current event is explored: its step falls asleep there.
  void put_to_sleep(std::size_t node) { sleepers_.push(execution_->steps[node], node); }
  /// Nothing falls asleep at the node, though the path leaves its current event.
  void keep_awake(std::size_t node) { sleepers_.forget_below(node); }
  /// The next schedule, for what goes beyond decisions and sleepers.
  [[nodiscard]] Schedule& schedule() { return schedule_; }
  /// Who looks on from now on.
  void follow(Guide& guide) { guide_ = &guide; }
  /// The next execution leaves the path at the node, with the decisions that follow.
  void leave(std::size_t node);
  void decide(Decision decision) { schedule_.prefix.push_back(decision); }
  /// The same, where the step that will be taken is known: anything else is a divergence.
  void expect(const Step& step) {
    MAZURKA_CHECK(schedule_.shared + schedule_.expected.size() == schedule_.prefix.size(),
                  "the steps that are known come before those that are not");
    schedule_.prefix.push_back(step.decision);
    schedule_.expected.push_back(step);
  }

 private:
  Session& session_;
  Sleepers mode_;
  const Execution* execution_ = nullptr;
  std::size_t kept_ = 0;
  SleepStack sleepers_;
  Schedule schedule_;
  Guide* guide_ = nullptr;
};

/// What every explorer returns: nothing is open any more, and nothing cut the search before.
[[nodiscard]] inline bool all_explored(const Session& session) {
  return session.stopped() == Stop::none;
}

}  // namespace mazurka
