// One execution as plain data: the answer to a schedule.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/check.hpp"
#include "core/graph_step.hpp"
#include "core/ids.hpp"
#include "core/process_sets.hpp"
#include "core/step.hpp"

namespace mazurka {

enum class Ending : std::uint8_t {
  complete,    // every process finished, or one of them ended the program
  deadlock,    // someone is left and nobody can move
  asleep,      // sleep-set blocked: all that could follow is explored elsewhere
  failed,      // a finding, and the search was told to stop at the first
  cut,         // the bound on events was reached
  stalled,     // a process computes for ever without a visible operation; the others have ended
  impossible,  // what was chosen last can not be together with what came before
  diverged,    // a replayed event was not what it had been: uncontrolled nondeterminism
};

[[nodiscard]] constexpr std::string_view name(Ending ending) {
  switch (ending) {
    case Ending::complete: return "complete";
    case Ending::deadlock: return "deadlock";
    case Ending::asleep: return "asleep";
    case Ending::failed: return "failed";
    case Ending::cut: return "cut";
    case Ending::stalled: return "stalled";
    case Ending::impossible: return "impossible";
    case Ending::diverged: return "diverged";
  }
  return "unknown";
}

/// An operation that a process has announced and not performed when the execution ends.
struct Pending {
  bool enabled = false;
  bool released = true;  // false: waits to be signalled, so no guard alone explains why it waits
  std::uint32_t cause = no_event;  // the event that released the process, if any did since its last
};

struct Execution {
  /// The events. A step's `choices` and `released` are what the event turned out to have, and so
  /// are the modes of its accesses (Step::announced).
  StepList steps;

  struct Event {
    std::uint32_t index = 0;         // n-th event of its process, from 0
    std::uint32_t cause = no_event;  // the event that released its process since its last event
  };
  std::vector<Event> events;

  /// A further cause of an event, or of a pending step: some need several events.
  struct FurtherCause {
    std::uint32_t of = 0;  // the event, or the index into `pending`
    std::uint32_t cause = no_event;
  };
  std::vector<FurtherCause> further_causes;          // in the order of events
  std::vector<FurtherCause> further_pending_causes;  // in the order of `pending`

  /// For every access of `steps`, in order: the object's value just before. Only kinds of objects
  /// that have guarded modes fill it in; the others leave 0.
  std::vector<std::uint64_t> before;

  /// Where the schedule asked for states (record_states), or the session for values
  /// (Limits::record_values; then `before` has every access, too): for every access of `steps` the
  /// object's value just after, and for every event what it changed in the fingerprint of the
  /// state. The same event, with the same events before it in happens-before, always makes the same
  /// change.
  std::vector<std::uint64_t> after;
  std::vector<Fingerprint> changes;

  /// The processes that a finding has ended.
  std::vector<ProcessId> failed;

  /// What each event did to an atomic variable, if the program tells (else empty).
  std::vector<GraphStep> graph;

  /// Who was enabled before each event, where the schedule asked for it.
  ProcessSets enabled;

  /// What each unfinished process would do next, at the end.
  StepList pending;
  std::vector<Pending> pending_state;  // parallel to `pending`

  /// Per sleeping step of the schedule: the event that woke it, or no_event.
  std::vector<std::uint32_t> woken;

  /// The last event led to a state that is explored from elsewhere (Guide::effects).
  bool reached_known_state = false;
  /// And so does everything else that could have been done in its place (Guide::Choice).
  bool nothing_else_either = false;

  /// Somebody is left who went round a waiting loop and could go on now: what would follow is
  /// explored without that round elsewhere (Run::waited_in_vain).
  bool in_vain = false;
  /// Somebody stopped at an assumption that does not hold (Run::assumption_fails): what the
  /// program would do there is of no interest, so this is no complete execution.
  bool assumption_failed = false;
  /// The program ended while others waited for what could no longer happen.
  bool left_waiting = false;
  /// What the program told its caller at its end, 0 to 255.
  std::uint8_t exit_code = 0;

  /// How many events had come when the first process failed and the others went on, or no_event.
  std::uint32_t failed_at = no_event;

  std::size_t processes = 0;  // how many have been named so far in this exploration
  Ending ending = Ending::complete;

  [[nodiscard]] std::size_t size() const { return steps.size(); }

  /// Calls visit(event) for every event without which this one could not be, but for those of its
  /// own process and those that it depends on.
  template <typename Visit>
  void for_each_cause(std::size_t event, Visit&& visit) const {
    MAZURKA_CHECK(event < events.size(), "only an event has causes");
    if (events[event].cause != no_event) visit(events[event].cause);
    visit_further(further_causes, event, visit);
  }
  /// The same for a pending step.
  template <typename Visit>
  void for_each_pending_cause(std::size_t at, Visit&& visit) const {
    if (pending_state[at].cause != no_event) visit(pending_state[at].cause);
    visit_further(further_pending_causes, at, visit);
  }

 private:
  template <typename Visit>
  static void visit_further(const std::vector<FurtherCause>& all, std::size_t of, Visit&& visit) {
    if (all.empty()) return;
    auto one = std::lower_bound(
        all.begin(), all.end(), of,
        [](const FurtherCause& further, std::size_t wanted) { return further.of < wanted; });
    for (; one != all.end() && one->of == of; ++one) visit(one->cause);
  }
};

/// Whether the event released a process that was there before. Who is woken by whom may depend on
/// the order of events; who is created by whom does not.
[[nodiscard]] inline bool wakes_somebody(const Execution& execution, std::size_t event) {
  for (const ProcessId released : execution.steps[event].released) {
    for (std::size_t before = 0; before < event; ++before) {
      if (execution.steps.process(before) == released) return true;
    }
  }
  return false;
}

/// Whether nothing but values can make the two dependent. Otherwise they never count as commuting:
/// the outcomes of a choice, who is woken by whom and what comes after an exit may depend on their
/// order even if the state does not.
[[nodiscard]] inline bool conflict_in_values_only(const Execution& execution, std::size_t first,
                                                  std::size_t second) {
  const Step one = execution.steps[first];
  const Step other = execution.steps[second];
  return one.process() != other.process() && !one.exits && !other.exits && one.choices == 1 &&
         other.choices == 1 && one.awaited != other.process() && other.awaited != one.process() &&
         !releases(one, other) && !releases(other, one) && !wakes_somebody(execution, first) &&
         !wakes_somebody(execution, second);
}

}  // namespace mazurka
