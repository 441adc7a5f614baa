// Dynamic partial order reduction with persistent sets, and sleep sets.
//
// Idea. In every new state, look at each process's next operation, whether or not it can run and
// whether or not it will. Take the last event that is dependent with it, may be co-enabled with it
// and does not happen before it. At the node before that event the process must move too; if it
// cannot, then some process that can and whose later event the operation needs; if there is none,
// everybody who can.
//
// Source. Flanagan, Godefroid: dynamic partial-order reduction; the procedure as printed, run once
// over all new states at the end of each execution. An operation with a guard may be co-enabled
// with an event if the guard held just before that event: that rules out unlock before lock and
// finds the acquisition before it.
//
// With sleep sets the printed rule alone loses traces (see the oracle's tests): what is
// asleep at a node is not explored there, so the races that would be found after it, and would ask
// for more at that node, are not found. Therefore each race must also have one initial of its
// reversal (reversal.hpp) asked for, explored or asleep, which is the rule of source.cpp
// (source_rule.hpp). Where the printed rule has done enough, and mostly it has done more, that adds
// nothing.
//
// On programs of messages (actors) it is the version that the TransDPOR paper compares itself with:
// deliveries.cpp.
//
// Neighbours. source.cpp asks for any initial of the reversed race and adds nothing if one is there
// already.
#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "core/check.hpp"
#include "core/technique.hpp"
#include "explorers/deliveries.hpp"
#include "explorers/path.hpp"
#include "explorers/resumable.hpp"
#include "explorers/source_rule.hpp"

namespace mazurka {
namespace {

/// An operation, from when it was announced to when it ran or the execution ended.
struct Parked {
  Step step;
  std::uint32_t previous = no_event;  // its process's event before
  std::uint32_t ready = 0;            // the first node at which it is known and released
  std::uint32_t end = 0;              // the node at which it ran, or the last one
  bool pending = false;               // it never ran: `number` is among the pending steps
  std::uint32_t number = 0;           // else among the events
};

class Analysis {
 public:
  static constexpr bool needs_enabled = true;

  Analysis(const Vocabulary& vocabulary, const Path& path, BacktrackSets& backtrack)
      : vocabulary_(vocabulary),
        path_(path),
        backtrack_(backtrack),
        races_(vocabulary, path, backtrack) {}

  void remember() { races_.remember(); }

  void analyse() {
    races_.find_races();
    const Execution& execution = path_.execution();
    const HappensBefore& order = races_.happens_before();
    const auto size = static_cast<std::uint32_t>(execution.size());
    for (auto at = static_cast<std::uint32_t>(path_.kept()); at < size; ++at) {
      const Step step = execution.steps[at];
      if (at > path_.kept()) {
        reverse_all(ready({step, order.previous_of_process(at), 0, at, false, at}));
      }
      ask_for_other_outcomes(at, step);
    }
    for (std::size_t at = 0; at < execution.pending.size(); ++at) {
      const Pending& state = execution.pending_state[at];
      if (!state.released) continue;  // waits for a signal: no race decides whether it can run
      const Step step = execution.pending[at];
      reverse_all(ready(
          {step, order.last_event(step.process()), 0, size, true, static_cast<std::uint32_t>(at)}));
    }
    races_.ask_for_initials();
  }

 private:
  // The events that released its process since the one before.
  template <typename Visit>
  void for_each_cause(const Parked& operation, Visit&& visit) const {
    if (operation.pending) {
      path_.execution().for_each_pending_cause(operation.number, visit);
    } else {
      path_.execution().for_each_cause(operation.number, visit);
    }
  }

  /// Ensures: the operation was ready when it ran.
  [[nodiscard]] Parked ready(Parked operation) const {
    if (operation.previous != no_event) operation.ready = operation.previous + 1;
    for_each_cause(operation, [&](std::uint32_t cause) {
      operation.ready = std::max(operation.ready, cause + 1);
    });
    MAZURKA_CHECK(operation.ready <= operation.end, "an operation runs after what it needs");
    return operation;
  }

  [[nodiscard]] bool known(const Parked& operation, std::uint32_t event) const {
    const HappensBefore& order = races_.happens_before();
    bool found = operation.previous != no_event && order.before(event, operation.previous);
    for_each_cause(operation,
                   [&](std::uint32_t cause) { found = found || order.before(event, cause); });
    return found;
  }

  [[nodiscard]] bool may_race(const Parked& operation, std::uint32_t event) const {
    const Step& step = operation.step;
    const Step other = path_.execution().steps[event];
    if (other.process() == step.process() || step.awaited == other.process()) return false;
    if (known(operation, event)) return false;
    if (other.exits) return path_.execution().enabled[event].contains(step.process());
    if (step.exits) return false;  // it comes last anyway
    const std::size_t first_access = path_.execution().steps.first_access(event);
    for (const Access& access : step.accesses) {
      for (std::size_t at = 0; at < other.accesses.size(); ++at) {
        if (!vocabulary_.dependent(access, other.accesses[at])) continue;
        if (!vocabulary_.guarded(access) ||
            vocabulary_.allows(access, path_.execution().before[first_access + at])) {
          return true;
        }
      }
    }
    return false;
  }

  [[nodiscard]] bool races_with_all(const Step& step) const {
    return std::any_of(step.accesses.begin(), step.accesses.end(), [&](const Access& access) {
      return vocabulary_.guarded(access) && vocabulary_.partners(access) == GuardPartners::every;
    });
  }

  // In every new state: the last event that the operation may race with. While the operation waits
  // that is each event that may race with it, in the state after that event.
  void reverse_all(const Parked& operation) {
    const auto kept = static_cast<std::uint32_t>(path_.kept());
    if (operation.ready > kept) {
      collect_candidates(operation);
      const bool all = races_with_all(operation.step);
      for (const std::uint32_t event : candidates_) {
        if (!may_race(operation, event)) continue;
        reverse(operation, event);
        if (!all) break;
      }
    }
    for (std::uint32_t event = std::max(operation.ready, kept); event < operation.end; ++event) {
      if (may_race(operation, event)) reverse(operation, event);
    }
  }

  // The events before the operation was ready that access one of its objects, latest first: back to
  // one that it knows and that all earlier ones happen before.
  void collect_candidates(const Parked& operation) {
    const HappensBefore& order = races_.happens_before();
    const Footprint accesses = operation.step.accesses;
    const bool pending = operation.pending;
    candidates_.clear();
    for (std::size_t number = 0; number < accesses.size(); ++number) {
      auto one = pending ? order.earlier(accesses[number], operation.previous)
                         : order.earlier(operation.end, number, operation.previous);
      for (; one.any(); one.go_back()) {
        if (one.event() >= operation.ready) continue;
        if (one.is_enough() && known(operation, one.event())) break;
        candidates_.push_back(one.event());
      }
    }
    if (accesses.size() > 1) {
      std::sort(candidates_.begin(), candidates_.end(), std::greater<>());
      candidates_.erase(std::unique(candidates_.begin(), candidates_.end()), candidates_.end());
    }
  }

  void reverse(const Parked& operation, std::uint32_t event) {
    const ProcessSets::View enabled = path_.execution().enabled[event];
    MAZURKA_CHECK(enabled.contains(path_.execution().steps.process(event)),
                  "a process was enabled where it moved");
    const ProcessId process = candidate(operation, event, enabled);
    if (process != no_process) {
      ask_for(event, process);
    } else {
      enabled.for_each([&](ProcessId other) { ask_for(event, other); });
    }
  }

  // The process itself if it can move at `event`'s node; else the first one that can and has a
  // later event that the operation needs.
  [[nodiscard]] ProcessId candidate(const Parked& operation, std::uint32_t event,
                                    const ProcessSets::View& enabled) const {
    if (enabled.contains(operation.step.process())) return operation.step.process();
    const Execution& execution = path_.execution();
    for (std::uint32_t at = event + 1; at < operation.ready; ++at) {
      const ProcessId process = execution.steps.process(at);
      if (known(operation, at) && enabled.contains(process)) return process;
    }
    return no_process;
  }

  void ask_for(std::size_t node, ProcessId process) {
    if (process == path_.execution().steps.process(node)) return;
    const auto choice = path_.sleepers().free_choice(process, node);
    if (choice) ask_for(node, Decision{process, *choice});
  }

  void ask_for(std::size_t node, Decision decision) {
    MAZURKA_CHECK(!path_.sleepers().contains(decision, node), "what is asleep is not asked for");
    if (!backtrack_.contains(node, decision)) backtrack_.add(node, decision);
  }

  void ask_for_other_outcomes(std::uint32_t event, const Step& step) {
    for (std::uint16_t choice = 0; choice < step.choices; ++choice) {
      const Decision other{step.process(), choice};
      if (choice != step.decision.choice && !path_.sleepers().contains(other, event)) {
        ask_for(event, other);
      }
    }
  }

  const Vocabulary& vocabulary_;
  const Path& path_;
  BacktrackSets& backtrack_;
  SourceRule races_;
  std::vector<std::uint32_t> candidates_;  // scratch
};

class Dpor final : public ResumableExplorer<BacktrackSearch<Analysis>> {
 public:
  bool explore(Session& session) override {
    if (session.steps() == Steps::one) return Deliveries(session, Deliveries::Rule::dpor).explore();
    return ResumableExplorer::explore(session);
  }
};

}  // namespace

std::unique_ptr<Explorer> make_dpor(const TechniqueOptions&) { return std::make_unique<Dpor>(); }

}  // namespace mazurka
