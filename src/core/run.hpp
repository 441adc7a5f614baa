// All that a front-end sees of the checker during one execution.
//
// A process *announces* its next visible operation and asks who moves: next(). The process that
// was chosen calls commit() and then really performs the operation, and goes on until its next
// announcement. The front-end tells which announced operations cannot run now (enable), which
// processes came into being (create), ended (finish) or failed (fail). When next() is empty the
// execution is over and the front-end unwinds.
//
// A step that ends the program comes last: it moves when nobody else can. What the others could
// have done after it, they do before; an execution that ends earlier is a prefix of that one, and
// shows nothing that it does not show.
//
// The run replays the schedule's prefix, verifies every repeated event against what was recorded,
// and then chooses by itself, keeping the sleeping steps asleep. Nothing here allocates once warm.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/check.hpp"
#include "core/execution.hpp"
#include "core/finding.hpp"
#include "core/guide.hpp"
#include "core/ids.hpp"
#include "core/process_names.hpp"
#include "core/run_state.hpp"
#include "core/schedule.hpp"
#include "core/step.hpp"
#include "core/vocabulary.hpp"

namespace mazurka {

/// A schedule whose last step ends the process that runs the program, and all our records with it.
/// It is known from an earlier attempt: now the execution stops at that step, before it is done.
struct CrashingSchedule {
  std::vector<Decision> decisions;
  std::string message;  // of the finding that it makes
};

struct RunLimits {
  std::uint64_t max_events = 100'000;  // per execution
  bool stop_at_finding = true;
  std::uint64_t seed = 0;  // 0: choose in the fixed order; else a seeded choice among the enabled
  std::span<const CrashingSchedule> crashing{};
  bool record_values = false;  // Execution::before and ::after of all accesses, for certificates
};

/// A replayed event that was not what it had been.
struct Divergence {
  std::uint32_t event = 0;
  std::optional<Decision> wanted;  // a decision that could not be taken ...
  StepList expected;               // ... or the step recorded and the step seen now
  StepList seen;
  std::optional<std::pair<Ending, Ending>> endings;  // ... or how the same decisions ended, twice
};

/// What a process is about to do.
struct Operation {
  Footprint accesses;
  ProcessId awaited = no_process;
  bool exits = false;
};

class Run final : public RunState {
 public:
  Run(const Vocabulary& vocabulary, ProcessNames& names, Execution& execution)
      : RunState(vocabulary, names, execution) {}

  // --- for the session --------------------------------------------------------------------------

  void start(const Schedule& schedule, const RunLimits& limits, Guide* guide = nullptr);
  /// The same once more, from the beginning: what was performed meanwhile does not count.
  void start_again() { start(Schedule(schedule_), limits_, guide_); }
  /// Records how the execution ended. Call once, when the front-end has returned.
  void finish_execution();
  [[nodiscard]] std::vector<Finding>& findings() { return now_.findings; }
  [[nodiscard]] const std::optional<Divergence>& divergence() const { return divergence_; }
  /// The schedule in numbers_by_creation().
  void renumber(Finding& finding) const;

  // --- for the front-end ------------------------------------------------------------------------

  /// Goes on from where an earlier run was after so many of the shared events, as if it had
  /// performed them. The program must be there, too. Instead of next(), first of all.
  void go_on_from(const Standing& standing);

  /// Names a process that `parent`'s current step creates. It can be scheduled once it has
  /// announced something.
  ProcessId create(ProcessId parent);

  /// The process parks before this operation. `enabled`: it could be performed now.
  /// `released`: false if it waits for a signal rather than for the value of an object.
  void announce(ProcessId process, const Operation& operation, bool enabled, bool released = true) {
    MAZURKA_CHECK(is_alive(process), "only a process that was created and has not ended announces");
    Standing::Slot& slot = now_.slots[index(process)];
    slot.accesses.assign(operation.accesses.begin(), operation.accesses.end());
    if (schedule_.moves_in_order) [[unlikely]]
      put_in_order(slot.accesses);
    slot.awaited = operation.awaited;
    slot.exits = operation.exits;
    slot.parked = true;
    slot.released = released;
    if (operation.exits) {
      now_.exiting.insert(process);
    } else {
      enable(process, enabled);
    }
  }
  /// An announced operation became able or unable to run.
  /// Requires: the process has announced it.
  void enable(ProcessId process, bool enabled) {
    if (enabled) {
      MAZURKA_CHECK(now_.slots[index(process)].parked,
                    "a process without an operation can not move");
      now_.enabled.insert(process);
    } else {
      now_.enabled.erase(process);
    }
  }
  /// A process that announced with released = false has been signalled; the current step's
  /// `released` list must name it too, or caused_by() must tell.
  void release(ProcessId process) { now_.slots[index(process)].released = true; }
  /// What the process has announced could not come before this event of the execution, though the
  /// event need not have found it waiting (then it would be `released`). In place of any other
  /// cause.
  /// Requires: the event is known, or the current one.
  void caused_by(ProcessId process, std::uint32_t event) {
    MAZURKA_CHECK(event == no_event || event <= now_.position, "a cause comes before its effect");
    now_.slots[index(process)].cause = event;
    now_.slots[index(process)].further_causes.clear();
  }
  /// The same where all of these events had to come first.
  void caused_by(ProcessId process, std::span<const std::uint32_t> events) {
    Standing::Slot& slot = now_.slots[index(process)];
    for (const std::uint32_t event : events) {
      MAZURKA_CHECK(event <= now_.position, "a cause comes before its effect");
    }
    slot.cause = events.empty() ? no_event : events.front();
    slot.further_causes.assign(events.empty() ? events.begin() : events.begin() + 1, events.end());
  }

  /// Where in the program the process is about to wait: a deadlock elsewhere is another one.
  void waits_at(ProcessId process, std::uint64_t place) {
    now_.slots[index(process)].place = place;
  }

  /// Who moves now; empty when the execution is over. Where the schedule leaves it open, and no
  /// seed is set, `preferred` moves if it may.
  [[nodiscard]] std::optional<Decision> next(ProcessId preferred = no_process);
  /// Whether next() will choose rather than follow the schedule: only then a preference matters.
  [[nodiscard]] bool chooses() const {
    return now_.position >= planned_ && limits_.seed == 0 &&
           (guide_ == nullptr || !guide_->decides()) && !over_;
  }

  /// The chosen process performs its announced operation now. `before`: the values of the accessed
  /// objects, in the footprint's order (may be shorter: 0). `choices`: how many outcomes the step
  /// has. `released`: whom it created or signalled. `performed`: what it does in this state, if
  /// that is less than what was announced (Vocabulary::Mode::attempts): the same objects in the
  /// same order, in modes that are dependent with nothing that the announced ones are not. False:
  /// the execution is over.
  bool commit(std::span<const std::uint64_t> before = {}, std::uint16_t choices = 1,
              std::span<const ProcessId> released = {}, Footprint performed = {});

  /// What the step that was committed last has done, once it is known and before anyone moves
  /// again: the values after it, in the footprint's order, and the change of the fingerprint.
  /// Only asked for when records_states().
  void effects(std::span<const std::uint64_t> after, Fingerprint change);

  /// What the objects of the step that was committed last hold after it, in the footprint's order.
  /// Requires: records_values(), and the step is not repeated.
  void values_after(std::span<const std::uint64_t> after);
  /// Whether the values before and after each step are wanted.
  [[nodiscard]] bool records_values() const { return limits_.record_values; }

  void finish(ProcessId process);
  /// The process ended with a finding: it never moves again. The others go on, unless the search
  /// stops at the first finding.
  void fail(ProcessId process, FindingKind kind, std::string message, std::string key);
  /// A finding that does not end its process (a data race).
  void report(ProcessId process, FindingKind kind, std::string message, std::string key);
  /// The process computes without end; it never moves again in this execution.
  void stall(ProcessId process);
  /// The execution ends here: the program asks for more than can be followed; or (impossible) the
  /// outcome that was chosen for the latest step can not be together with what came before, so that
  /// there is no execution that goes on like this.
  void cut(Ending ending = Ending::cut) { end(ending); }
  /// Whoever is still waiting does so because of a choice of its own that others need not make:
  /// when nobody can move, the execution is complete, not a deadlock.
  void excuse_waiting(bool excused = true) { now_.waiting_excused = excused; }
  /// And they would not wait had they looked later, as they do in another execution: this one does
  /// not count.
  void waited_in_vain() { execution_.in_vain = true; }
  /// A process stops for good because of an assumption: the execution counts as ended by it.
  void assumption_fails() { now_.assumption_failed = true; }
  /// The program ends while others wait who will wait for ever.
  void leaves_waiting() { execution_.left_waiting = true; }
  /// The program ends with this code.
  void exit_code(std::uint8_t code) { execution_.exit_code = code; }

  /// Which of so many outcomes the current decision asks for. A wish (Schedule::tentative) may have
  /// been made for another step, that had more of them.
  /// Requires: there is one.
  [[nodiscard]] std::uint16_t outcome(std::uint16_t choices) const {
    MAZURKA_CHECK(choices > 0, "a step has an outcome");
    return std::min(now_.current.choice, static_cast<std::uint16_t>(choices - 1));
  }

 private:
  void put_in_order(std::vector<Access>& accesses) const {
    for (Access& access : accesses) access = vocabulary_.in_order(access);
  }
  std::optional<Decision> end(Ending ending) {
    ending_ = ending;
    over_ = true;
    return std::nullopt;
  }
  [[nodiscard]] std::optional<Decision> choose(ProcessId preferred);
  [[nodiscard]] ProcessId default_choice(ProcessId preferred) const;
  [[nodiscard]] ProcessId choose_seeded() const;
  [[nodiscard]] ProcessId not_waiting_for_others() const;
  [[nodiscard]] bool is_forbidden(ProcessId process) const {
    return guide_ != nullptr && guide_->forbidden().contains(process);
  }
  [[nodiscard]] bool can_be_granted(Decision wish) const;
  [[nodiscard]] bool as_expected(const Step& step) const;
  void diverge(std::optional<Decision> wanted, const Step* seen);
  [[nodiscard]] const CrashingSchedule* crashes_now() const;
  void die(const CrashingSchedule& crashing);
  void retire(ProcessId process);
  [[nodiscard]] std::vector<Decision> decisions_so_far() const;

  RunLimits limits_;
  Ending ending_ = Ending::complete;
  std::optional<Divergence> divergence_;
  std::vector<Access> in_order_;  // scratch
};

// ------------------------------------------------------------------------------------------------

inline std::optional<Decision> Run::next(ProcessId preferred) {
  if (over_) return std::nullopt;
  if (now_.enabled.empty()) now_.enabled = now_.exiting;
  if (schedule_.record_enabled && now_.position >= execution_.enabled.size()) {
    execution_.enabled.push_back(now_.enabled);
  }
  if (guide_ != nullptr && now_.position > schedule_.shared) guide_->arrived(*this);
  if (now_.position < planned_) [[likely]] {
    if (now_.position >= limits_.max_events) [[unlikely]]
      return end(Ending::cut);
    const Decision wanted = schedule_.prefix[now_.position];
    if (schedule_.tentative && now_.position >= schedule_.shared && !can_be_granted(wanted)) {
      planned_ = now_.position;
      return choose(preferred);
    }
    if (!now_.enabled.contains(wanted.process)) [[unlikely]] {
      diverge(wanted, nullptr);
      return end(Ending::diverged);
    }
    now_.current = wanted;
    return wanted;
  }
  return choose(preferred);
}

inline bool Run::can_be_granted(Decision wish) const {
  if (!now_.enabled.contains(wish.process)) return false;
  const std::size_t at = now_.position - schedule_.shared;
  if (at >= schedule_.expected.size()) return true;
  const Step known = schedule_.expected[at];
  const Step step = next_step(wish.process);
  return known.awaited == step.awaited && known.exits == step.exits &&
         same_accesses(known.widest(), step.accesses);
}

inline bool Run::as_expected(const Step& step) const {
  const StepList* source = &execution_.steps;
  std::size_t at = now_.position;
  if (now_.position >= schedule_.shared) {
    source = &schedule_.expected;
    at -= schedule_.shared;
    if (at >= source->size() || schedule_.tentative) return true;
  }
  const Step known = (*source)[at];
  // What an expected step will do was not seen yet: it is told with what it announces.
  return known.decision == step.decision && known.awaited == step.awaited &&
         same_accesses(known.widest(), step.widest()) &&
         (now_.position >= schedule_.shared || same_accesses(known.accesses, step.accesses));
}

inline bool Run::commit(std::span<const std::uint64_t> before, std::uint16_t choices,
                        std::span<const ProcessId> released, Footprint performed) {
  const ProcessId process = now_.current.process;
  MAZURKA_CHECK(process != no_process && choices > 0, "a step is committed after next() chose it");
  Standing::Slot& slot = now_.slots[index(process)];
  MAZURKA_CHECK(slot.alive && slot.parked, "a process performs what it has announced, once");
  Step step = next_step(process);
  if (schedule_.tentative) now_.current.choice = outcome(choices);
  step.decision = now_.current;
  step.choices = choices;
  step.released = released;
  if (schedule_.moves_in_order && !performed.empty()) {
    in_order_.assign(performed.begin(), performed.end());
    put_in_order(in_order_);
    performed = same_accesses(in_order_, step.accesses) ? Footprint{} : Footprint{in_order_};
  }
  if (!performed.empty() && !schedule_.as_announced) {
    MAZURKA_CHECK(may_do_less(vocabulary_, step), "only what attempts something does less");
    MAZURKA_CHECK(
        covers(vocabulary_, step.accesses, performed),
        "what is performed depends on nothing that the announced step does not depend on");
    step.announced = step.accesses;
    step.accesses = performed;
  }

  if (!as_expected(step)) [[unlikely]] {
    diverge(std::nullopt, &step);
    end(Ending::diverged);
    return false;
  }
  const CrashingSchedule* const crashing = limits_.crashing.empty() ? nullptr : crashes_now();
  if (crashing != nullptr) step.exits = true;
  if (now_.position >= schedule_.shared) {
    execution_.steps.push_back(step);
    execution_.events.push_back({slot.events, slot.cause});
    MAZURKA_CHECK(execution_.events.size() == execution_.size(), "each step has its event");
    for (const std::uint32_t cause : slot.further_causes) {
      execution_.further_causes.push_back({static_cast<std::uint32_t>(now_.position), cause});
    }
    execution_.before.insert(execution_.before.end(), before.begin(), before.end());
    execution_.before.resize(execution_.steps.access_count(), 0);
    sleepers_.wake_dependent(vocabulary_, step, now_.position);
    if (guide_ != nullptr) guide_->committed(*this, step);
  }
  for (const ProcessId who : released) {
    caused_by(who, static_cast<std::uint32_t>(now_.position));
  }
  ++slot.events;
  slot.cause = no_event;
  slot.further_causes.clear();
  slot.place = 0;
  slot.latest = static_cast<std::uint32_t>(now_.position);
  slot.parked = false;
  now_.enabled.erase(process);
  ++now_.position;
  if (slot.exits) end(Ending::complete);
  if (crashing != nullptr) [[unlikely]]
    die(*crashing);
  return true;
}

}  // namespace mazurka
