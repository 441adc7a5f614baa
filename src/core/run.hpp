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
#include <cassert>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/archive.hpp"
#include "core/execution.hpp"
#include "core/finding.hpp"
#include "core/guide.hpp"
#include "core/ids.hpp"
#include "core/process_set.hpp"
#include "core/schedule.hpp"
#include "core/step.hpp"
#include "core/vocabulary.hpp"

namespace mazurka {

/// The names of processes, kept for the whole exploration: (parent, n-th child) -> dense id.
class ProcessNames {
 public:
  struct Name {
    ProcessId parent = no_process;
    std::uint32_t nth = 0;
  };

  /// Throws std::length_error past max_processes.
  ProcessId child(ProcessId parent, std::uint32_t nth);
  [[nodiscard]] const Name& operator[](ProcessId process) const { return names_[index(process)]; }
  [[nodiscard]] std::size_t size() const { return names_.size(); }
  void save(ArchiveWriter& archive) const;
  /// Only into fresh names. Throws ArchiveError.
  void load(ArchiveReader& archive);

 private:
  std::vector<Name> names_{{}};  // the first process has no parent
  std::vector<std::vector<ProcessId>> children_{{}};
};

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

class Run {
 public:
  Run(const Vocabulary& vocabulary, ProcessNames& names, Execution& execution)
      : vocabulary_(vocabulary), names_(names), execution_(execution) {}

  // --- for the session --------------------------------------------------------------------------

  void start(const Schedule& schedule, const RunLimits& limits, Guide* guide = nullptr);
  /// Records how the execution ended. Call once, when the front-end has returned.
  void finish_execution();
  [[nodiscard]] std::vector<Finding>& findings() { return findings_; }
  [[nodiscard]] const std::optional<Divergence>& divergence() const { return divergence_; }
  /// The processes created in this execution, in that order; the first process is not among them.
  [[nodiscard]] std::span<const ProcessId> created() const { return created_; }
  /// Ids depend on the order in which an exploration first saw the processes. A schedule that is
  /// handed out numbers them in the order of their creation along itself, which is what whoever
  /// replays it will see. This is the number of each process of this execution.
  [[nodiscard]] std::vector<ProcessId> numbers_by_creation() const;
  /// The schedule in these numbers.
  void renumber(Finding& finding) const;

  // --- for a guide ------------------------------------------------------------------------------

  [[nodiscard]] const Vocabulary& vocabulary() const { return vocabulary_; }
  /// So many processes were seen so far; their ids are smaller.
  [[nodiscard]] std::size_t known_processes() const { return std::max(used_slots_, names_.size()); }
  /// How many events of the previous execution this one repeats.
  [[nodiscard]] std::size_t shared() const { return schedule_.shared; }
  [[nodiscard]] const ProcessSet& enabled() const { return enabled_; }
  /// Those whose next step is asleep, whatever comes of it.
  [[nodiscard]] const ProcessSet& asleep() const { return asleep_; }
  [[nodiscard]] const Execution& so_far() const { return execution_; }
  /// What the process has announced, as a step.
  [[nodiscard]] Step next_step(ProcessId process) const { return announced(process); }
  [[nodiscard]] std::uint32_t events_of(ProcessId process) const {
    return slots_[index(process)].events;
  }
  /// Of the process, or no_event.
  [[nodiscard]] std::uint32_t latest_event(ProcessId process) const {
    return slots_[index(process)].latest;
  }
  [[nodiscard]] bool is_alive(ProcessId process) const {
    return index(process) < used_slots_ && slots_[index(process)].alive;
  }
  [[nodiscard]] bool has_ended(ProcessId process) const {
    return index(process) < used_slots_ && !slots_[index(process)].alive &&
           slots_[index(process)].events > 0;
  }

  // --- for the front-end ------------------------------------------------------------------------

  /// The process that exists from the beginning.
  [[nodiscard]] static constexpr ProcessId root() { return ProcessId{0}; }

  /// Names a process that `parent`'s current step creates. It can be scheduled once it has
  /// announced something.
  ProcessId create(ProcessId parent);

  /// The process parks before this operation. `enabled`: it could be performed now.
  /// `released`: false if it waits for a signal rather than for the value of an object.
  void announce(ProcessId process, const Operation& operation, bool enabled, bool released = true) {
    Slot& slot = slots_[index(process)];
    slot.accesses.assign(operation.accesses.begin(), operation.accesses.end());
    slot.awaited = operation.awaited;
    slot.exits = operation.exits;
    slot.parked = true;
    slot.released = released;
    if (operation.exits) {
      exiting_.insert(process);
    } else {
      enable(process, enabled);
    }
  }
  /// An announced operation became able or unable to run.
  void enable(ProcessId process, bool enabled) {
    if (enabled) {
      enabled_.insert(process);
    } else {
      enabled_.erase(process);
    }
  }
  /// A process that announced with released = false has been signalled; the current step's
  /// `released` list must name it too, or caused_by() must tell.
  void release(ProcessId process) { slots_[index(process)].released = true; }
  /// What the process has announced could not come before this event of the execution, though the
  /// event need not have found it waiting (then it would be `released`). In place of any other
  /// cause.
  void caused_by(ProcessId process, std::uint32_t event) { slots_[index(process)].cause = event; }

  /// Who moves now; empty when the execution is over. Where the schedule leaves it open, and no
  /// seed is set, `preferred` moves if it may.
  [[nodiscard]] std::optional<Decision> next(ProcessId preferred = no_process);
  /// Whether next() will choose rather than follow the schedule: only then a preference matters.
  [[nodiscard]] bool chooses() const {
    return position_ >= planned_ && limits_.seed == 0 &&
           (guide_ == nullptr || !guide_->decides()) && !over_;
  }
  /// Whether the schedule says that the process moves once more.
  [[nodiscard]] bool is_to_move(ProcessId process) const {
    if (schedule_.tentative || position_ >= planned_) return false;
    const auto rest = std::span<const Decision>(schedule_.prefix).subspan(position_);
    return std::any_of(rest.begin(), rest.end(),
                       [&](const Decision& one) { return one.process == process; });
  }
  /// Whether the process can move and is not asleep.
  [[nodiscard]] bool may_move(ProcessId process) const {
    return enabled_.contains(process) && !asleep_.contains(process);
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
  [[nodiscard]] bool records_states() const { return schedule_.record_states; }
  [[nodiscard]] bool wants_whole_states() const { return schedule_.whole_states; }
  [[nodiscard]] bool watches_reads() const { return schedule_.watch_reads; }

  void finish(ProcessId process);
  /// The process ended with a finding: it never moves again. The others go on, unless the search
  /// stops at the first finding.
  void fail(ProcessId process, FindingKind kind, std::string message, std::string key);
  /// A finding that does not end its process (a data race).
  void report(ProcessId process, FindingKind kind, std::string message, std::string key);
  /// The process computes without end; it never moves again in this execution.
  void stall(ProcessId process);
  /// The program asks for more than can be followed: the execution is cut here.
  void cut() { end(Ending::cut); }
  /// Whoever is still waiting does so because of a choice of its own that others need not make:
  /// when nobody can move, the execution is complete, not a deadlock.
  void excuse_waiting(bool excused = true) { waiting_excused_ = excused; }
  /// And they would not wait had they looked later, as they do in another execution: this one does
  /// not count.
  void waited_in_vain() { execution_.in_vain = true; }
  /// A process stops for good because of an assumption: the execution counts as ended by it.
  void assumption_fails() { execution_.assumption_failed = true; }
  /// The program ends with this code.
  void exit_code(std::uint8_t code) { execution_.exit_code = code; }

  [[nodiscard]] std::size_t position() const { return position_; }
  /// Which of so many outcomes the current decision asks for. A wish (Schedule::tentative) may have
  /// been made for another step, that had more of them.
  [[nodiscard]] std::uint16_t outcome(std::uint16_t choices) const {
    return std::min(current_.choice, static_cast<std::uint16_t>(choices - 1));
  }
  /// Whether the next event is one of the previous execution's, whose effects are known.
  [[nodiscard]] bool repeating() const { return position_ < schedule_.shared; }
  /// What the process has announced.
  [[nodiscard]] Footprint footprint(ProcessId process) const {
    return slots_[index(process)].accesses;
  }
  [[nodiscard]] bool over() const { return over_; }
  [[nodiscard]] bool anyone_enabled() const { return !enabled_.empty() || !exiting_.empty(); }
  /// Whether all that can happen is that somebody ends the program.
  [[nodiscard]] bool only_exits_left() const { return enabled_.empty() && !exiting_.empty(); }
  [[nodiscard]] bool is_enabled(ProcessId process) const { return enabled_.contains(process); }

 private:
  struct Slot {
    std::vector<Access> accesses;
    ProcessId awaited = no_process;
    bool exits = false;
    bool alive = false;
    bool parked = false;
    bool released = true;
    std::uint32_t events = 0;
    std::uint32_t children = 0;
    std::uint32_t cause = no_event;
    std::uint32_t latest = no_event;
  };

  [[nodiscard]] Step announced(ProcessId process) const {
    const Slot& slot = slots_[index(process)];
    return {{process, 0}, 1, slot.awaited, slot.exits, slot.accesses, {}, {}};
  }
  std::optional<Decision> end(Ending ending) {
    ending_ = ending;
    over_ = true;
    return std::nullopt;
  }
  [[nodiscard]] std::optional<Decision> choose(ProcessId preferred);
  [[nodiscard]] ProcessId usual_choice(ProcessId preferred) const;
  [[nodiscard]] ProcessId choose_seeded() const;
  [[nodiscard]] ProcessId not_waiting_for_others() const;
  [[nodiscard]] bool is_forbidden(ProcessId process) const {
    return guide_ != nullptr && guide_->forbidden().contains(process);
  }
  [[nodiscard]] std::uint16_t awake_choice(ProcessId process) const;
  void wake_dependent(const Step& step);
  [[nodiscard]] bool can_be_granted(Decision wish) const;
  [[nodiscard]] bool as_expected(const Step& step) const;
  void diverge(std::optional<Decision> wanted, const Step* seen);
  [[nodiscard]] const CrashingSchedule* crashes_now() const;
  void die(const CrashingSchedule& crashing);
  void retire(ProcessId process);
  [[nodiscard]] std::vector<Decision> decisions_so_far() const;

  const Vocabulary& vocabulary_;
  ProcessNames& names_;
  Execution& execution_;
  Schedule schedule_;
  RunLimits limits_;
  Guide* guide_ = nullptr;
  std::size_t planned_ = 0;  // so many of the schedule's decisions are to be taken

  std::vector<Slot> slots_;
  std::size_t used_slots_ = 0;
  std::vector<ProcessId> created_;
  ProcessSet enabled_;
  ProcessSet exiting_;                   // would end the program: can move when nobody else can
  ProcessSet asleep_;                    // every outcome of the announced step is asleep
  std::vector<std::uint32_t> sleepers_;  // indices into schedule_.asleep that are not woken yet
  std::size_t position_ = 0;
  Decision current_{no_process, 0};
  std::size_t alive_ = 0;
  bool someone_failed_ = false;
  bool someone_stalled_ = false;
  bool waiting_excused_ = false;
  bool over_ = false;
  Ending ending_ = Ending::complete;
  std::vector<Finding> findings_;
  std::optional<Divergence> divergence_;
};

// ------------------------------------------------------------------------------------------------

inline std::optional<Decision> Run::next(ProcessId preferred) {
  if (over_) return std::nullopt;
  if (enabled_.empty()) enabled_ = exiting_;
  if (schedule_.record_enabled && position_ >= execution_.enabled.size()) {
    execution_.enabled.push_back(enabled_);
  }
  if (guide_ != nullptr && position_ > schedule_.shared) guide_->arrived(*this);
  if (position_ < planned_) [[likely]] {
    if (position_ >= limits_.max_events) [[unlikely]]
      return end(Ending::cut);
    const Decision wanted = schedule_.prefix[position_];
    if (schedule_.tentative && position_ >= schedule_.shared && !can_be_granted(wanted)) {
      planned_ = position_;
      return choose(preferred);
    }
    if (!enabled_.contains(wanted.process)) [[unlikely]] {
      diverge(wanted, nullptr);
      return end(Ending::diverged);
    }
    current_ = wanted;
    return wanted;
  }
  return choose(preferred);
}

inline bool Run::can_be_granted(Decision wish) const {
  if (!enabled_.contains(wish.process)) return false;
  const std::size_t at = position_ - schedule_.shared;
  if (at >= schedule_.expected.size()) return true;
  const Step known = schedule_.expected[at];
  const Step step = announced(wish.process);
  return known.awaited == step.awaited && known.exits == step.exits &&
         same_accesses(known.widest(), step.accesses);
}

inline bool Run::as_expected(const Step& step) const {
  const StepList* source = &execution_.steps;
  std::size_t at = position_;
  if (position_ >= schedule_.shared) {
    source = &schedule_.expected;
    at -= schedule_.shared;
    if (at >= source->size() || schedule_.tentative) return true;
  }
  const Step known = (*source)[at];
  // What an expected step will do was not seen yet: it is told with what it announces.
  return known.decision == step.decision && known.awaited == step.awaited &&
         same_accesses(known.widest(), step.widest()) &&
         (position_ >= schedule_.shared || same_accesses(known.accesses, step.accesses));
}

inline bool Run::commit(std::span<const std::uint64_t> before, std::uint16_t choices,
                        std::span<const ProcessId> released, Footprint performed) {
  const ProcessId process = current_.process;
  Slot& slot = slots_[index(process)];
  Step step = announced(process);
  if (schedule_.tentative) current_.choice = outcome(choices);
  step.decision = current_;
  step.choices = choices;
  step.released = released;
  if (!performed.empty() && !schedule_.as_announced) {
    assert(performed.size() == step.accesses.size() && may_do_less(vocabulary_, step));
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
  if (position_ >= schedule_.shared) {
    execution_.steps.push_back(step);
    execution_.events.push_back({slot.events, slot.cause});
    execution_.before.insert(execution_.before.end(), before.begin(), before.end());
    execution_.before.resize(execution_.steps.access_count(), 0);
    if (!sleepers_.empty()) wake_dependent(step);
    if (guide_ != nullptr) guide_->committed(*this, step);
  }
  for (const ProcessId who : released) {
    slots_[index(who)].cause = static_cast<std::uint32_t>(position_);
  }
  ++slot.events;
  slot.cause = no_event;
  slot.latest = static_cast<std::uint32_t>(position_);
  slot.parked = false;
  enabled_.erase(process);
  ++position_;
  if (slot.exits) end(Ending::complete);
  if (crashing != nullptr) [[unlikely]]
    die(*crashing);
  return true;
}

}  // namespace mazurka
