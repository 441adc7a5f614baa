// The counter-example people want: the smallest schedule that fails, and where it was lost.
//
// A search reports the first failing execution that it meets, and its order is chosen to explore
// much, not to be read. So the schedule is run again with parts moved together or left out, as long
// as the program still fails in the same way and the processes switch less often. Then all
// schedules with fewer switches are tried, within a budget: if none fails, there is no smaller one.
//
// The point of no return is found from the end: the last decision before which some continuation
// still ends well.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/finding.hpp"
#include "core/program.hpp"
#include "core/run.hpp"

namespace mazurka {

struct Shortened {
  Finding finding;                       // as it was found, or with a smaller schedule
  std::size_t switches = 0;              // from one process to another
  bool fewest = false;                   // no schedule with fewer fails in this way
  bool always_fails = false;             // every execution fails
  std::optional<std::size_t> no_return;  // after this decision of the schedule all is lost
};

struct ShortenBudget {
  std::uint64_t executions = 20'000;  // for each of the three tasks
  double seconds = 1;                 // for all of them
};

/// Nothing if the finding does not come about again, which only happens to a fickle program.
[[nodiscard]] std::optional<Shortened> shorten(Program& program, const Finding& finding,
                                               std::uint64_t max_events, ShortenBudget budget);

/// How often a schedule switches from one process to another.
[[nodiscard]] std::size_t count_switches(const std::vector<Decision>& schedule);

}  // namespace mazurka
