// What an execution demands of the others: the condition that makes a set of executions complete.
//
// For each event, and each step that waits at the end, the execution is cut back in all the ways in
// which the step could have come earlier; for each of them some execution of the set must contain
// what is left and go on from there with that process. docs/certificates.md has the condition and
// the proof that it suffices.
#pragma once

#include <cstdint>
#include <functional>

#include "history.hpp"

namespace certify {

/// Conditions that are weaker than the right one, and wrong. For tests, which show an incomplete
/// set that each of them accepts.
enum class Weakening : std::uint8_t {
  nothing,
  needed_context,  // (a) the cut has only what the step needs
  short_context,   // (b) the cut has only what comes before the step in the log
  no_waiting,      // (c) steps that wait at the end demand nothing
  immediate_only,  // (d) where the step is not enabled, nothing more is left out
  one_left_out,    // (e) of the rest of an execution, one event is left out at most
  no_choices,      // (f) the other choices are not demanded
  one_race,        // (g) one race of each step is reversed
  one_cut,         // (h) one of the cuts of each step counts
};

enum class Reason : std::uint8_t {
  race,    // an event that comes before the step could have come after it
  waits,   // the step waits at the end, and could have been taken earlier
  choice,  // the event could have had another outcome
  exit,    // another process could have ended the program
};

/// Some execution must contain `cut`, and its next event of `process` after that must have all that
/// is before it in the cut, and this choice unless it is `none`.
struct Demand {
  Cut cut;
  std::uint32_t process = 0;
  std::uint32_t choice = none;
  Reason reason = Reason::race;
  std::uint32_t event = none;    // what could have gone otherwise; none: a step that waits
  std::uint32_t earlier = none;  // what would then come after it
};

/// Calls visit(demand) for each demand of the execution; false if there are too many ways of
/// cutting back to go through them all.
[[nodiscard]] bool for_each_demand(const Histories& history, Weakening weakening,
                                   const std::function<void(const Demand&)>& visit);

/// Names a demand: the same in every execution that makes it.
[[nodiscard]] Key name(const Histories& history, const Demand& demand);

}  // namespace certify
