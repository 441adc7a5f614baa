// Looking for an early bug where the search that was asked for will not come to it soon.
//
// The search goes deep first: what it does last in an execution it does in all other ways before it
// changes anything that came early. A program whose threads go on for ever, and change something
// all the time, keeps it at the far end of the first execution; so does one that is merely too
// large. Two remedies, both outside of the search and of its counts:
//
//   sample  random walks, half of them with priorities (explorers/random.cpp). While a search takes
//           long it is interrupted after 1, 2, 4, 8, ... seconds for a tenth of that time.
//   deepen  all schedules of up to 8 events, then 16, 32, ..., until the time is over. No reduction
//           but sleep sets may be used here: equivalent executions are equally long, so one of each
//           trace stays within the bound; a reduction that waits for a race to show would wait for
//           events beyond it.
//
// An execution that reaches a bound of events that the user did not set ends the search: there is
// nothing to be proven any more, and both are tried for a while.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/finding.hpp"
#include "core/session.hpp"
#include "driver/plan.hpp"
#include "driver/subject.hpp"
#include "driver/watcher.hpp"

namespace mazurka {

class Hunt {
 public:
  Hunt(Subject& subject, Watcher& watcher, const Plan& plan)
      : subject_(subject), watcher_(watcher), plan_(plan) {}

  /// Between two executions of the search: takes its turn when that is due.
  void pause(Session& search);

  /// Instead of the search, which was cut after so many seconds.
  void instead(double seconds_so_far);

  [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }
  /// What was done, in one sentence; empty: nothing.
  [[nodiscard]] std::string account() const;

 private:
  void sample(double seconds);
  void deepen(double seconds);
  /// Whether everything was explored.
  bool explore(const char* technique, const Limits& limits);
  [[nodiscard]] bool over() const;

  Subject& subject_;
  Watcher& watcher_;
  const Plan& plan_;
  std::vector<Finding> findings_;
  double next_turn_ = 1;  // seconds after the beginning of the search
  std::uint64_t seed_ = 0;
  std::uint64_t walks_ = 0;
  std::uint64_t longest_walk_ = 0;
  std::optional<std::uint64_t> all_up_to_;  // every schedule of so many events was explored
};

}  // namespace mazurka
