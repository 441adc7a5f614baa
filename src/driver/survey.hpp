// How large a search is.
//
// While the search goes on it is interrupted now and then for random walks, for three hundredths of
// its time, from which its size is estimated (explorers/size_probe.hpp). They are no part of the
// search and of its counts; what they find and learn the search will find and learn itself.
#pragma once

#include <cstdint>

#include "core/session.hpp"
#include "driver/plan.hpp"
#include "driver/subject.hpp"
#include "driver/watcher.hpp"
#include "explorers/size_probe.hpp"

namespace mazurka {

class Survey {
 public:
  Survey(Subject& subject, Watcher& watcher, const Plan& plan);

  /// Between two executions of the search: takes its turn when that is due.
  void pause(Session& search);

  /// One more walk. False: walks are of no use, or do harm.
  bool walk(std::uint64_t max_events);
  [[nodiscard]] const SizeProbe& probe() const { return probe_; }

 private:
  [[nodiscard]] bool is_good_enough() const;
  void tell(Session& search);

  Subject& subject_;
  Watcher& watcher_;
  const Limits& limits_;
  SizeProbe probe_;
  bool exact_;     // the technique comes to as many executions as are estimated
  bool given_up_;  // walks are of no use, or do harm
  std::uint64_t pauses_ = 0;
  double walking_ = 0;  // seconds so far
};

}  // namespace mazurka
