// Where an execution stands: which processes there are, what each has announced, who can move and
// who is asleep. What can be asked of a run; core/run.hpp has what can be done to it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/check.hpp"
#include "core/execution.hpp"
#include "core/finding.hpp"
#include "core/ids.hpp"
#include "core/process_names.hpp"
#include "core/process_set.hpp"
#include "core/run_sleepers.hpp"
#include "core/schedule.hpp"
#include "core/step.hpp"
#include "core/vocabulary.hpp"

namespace mazurka {

class Guide;

/// What the events of a run so far have made of it, as a value: a run that goes on from it is where
/// the other one was. What they have left in the execution that is neither told event by event nor
/// at its end is in here, too.
struct Standing {
  struct Slot {
    std::vector<Access> accesses;
    ProcessId awaited = no_process;
    bool exits = false;
    bool alive = false;
    bool parked = false;
    bool failed = false;  // ended with a finding
    bool released = true;
    std::uint32_t events = 0;
    std::uint32_t children = 0;
    std::uint32_t cause = no_event;
    std::vector<std::uint32_t> further_causes;
    std::uint32_t latest = no_event;
    std::uint64_t place = 0;  // where it waits, if the front-end says so
    friend bool operator==(const Slot&, const Slot&) = default;
  };

  /// Nothing has happened yet; there are names for so many processes.
  void begin(std::size_t processes);

  std::size_t position = 0;  // so many events
  std::vector<Slot> slots;   // by process
  std::size_t used_slots = 0;
  std::vector<ProcessId> created;
  ProcessSet enabled;
  ProcessSet exiting;  // would end the program: can move when nobody else can
  Decision current{no_process, 0};
  std::size_t alive = 0;
  bool someone_failed = false;
  bool someone_stalled = false;
  bool waiting_excused = false;
  std::vector<Finding> findings;
  bool assumption_failed = false;      // Execution::assumption_failed
  std::uint32_t failed_at = no_event;  // Execution::failed_at

  friend bool operator==(const Standing& one, const Standing& other);
};

class RunState {
 public:
  /// The process that exists from the beginning.
  [[nodiscard]] static constexpr ProcessId root() { return ProcessId{0}; }

  [[nodiscard]] const Vocabulary& vocabulary() const { return vocabulary_; }
  [[nodiscard]] const Execution& so_far() const { return execution_; }
  [[nodiscard]] bool over() const { return over_; }
  /// Where it is, between two steps.
  [[nodiscard]] const Standing& standing() const { return now_; }

  // --- the schedule -----------------------------------------------------------------------------

  [[nodiscard]] std::size_t position() const { return now_.position; }
  /// So many events were not performed (Run::go_on_from).
  [[nodiscard]] std::size_t spared() const { return spared_; }
  /// How many events of the previous execution this one repeats.
  [[nodiscard]] std::size_t shared() const { return schedule_.shared; }
  /// Whether the next event is one of the previous execution's, whose effects are known.
  [[nodiscard]] bool repeating() const { return now_.position < schedule_.shared; }
  [[nodiscard]] bool records_states() const { return schedule_.record_states; }
  [[nodiscard]] bool wants_whole_states() const { return schedule_.whole_states; }
  [[nodiscard]] bool watches_reads() const { return schedule_.watch_reads; }
  /// Whether somebody looks on who must not be told twice of an execution that is started again.
  [[nodiscard]] bool must_not_begin_anew() const;
  /// Whether the schedule says that the process moves once more.
  [[nodiscard]] bool is_to_move(ProcessId process) const {
    if (schedule_.tentative || now_.position >= planned_) return false;
    const auto rest = std::span<const Decision>(schedule_.prefix).subspan(now_.position);
    return std::any_of(rest.begin(), rest.end(),
                       [&](const Decision& one) { return one.process == process; });
  }

  // --- the processes ----------------------------------------------------------------------------

  /// So many processes were seen so far; their ids are smaller.
  [[nodiscard]] std::size_t known_processes() const {
    return std::max(now_.used_slots, names_.size());
  }
  /// Ids depend on the order in which an exploration first saw the processes. A schedule that is
  /// handed out numbers them in the order of their creation along itself, which is what whoever
  /// replays it will see. This is the number of each process of this execution.
  [[nodiscard]] std::vector<ProcessId> numbers_by_creation() const;
  /// The processes created in this execution, in that order; the first process is not among them.
  [[nodiscard]] std::span<const ProcessId> created() const { return now_.created; }
  [[nodiscard]] bool is_alive(ProcessId process) const {
    return index(process) < now_.used_slots && now_.slots[index(process)].alive;
  }
  [[nodiscard]] bool has_ended(ProcessId process) const {
    return index(process) < now_.used_slots && !now_.slots[index(process)].alive &&
           now_.slots[index(process)].events > 0;
  }
  [[nodiscard]] std::uint32_t events_of(ProcessId process) const {
    return now_.slots[index(process)].events;
  }
  /// Of the process, or no_event.
  [[nodiscard]] std::uint32_t latest_event(ProcessId process) const {
    return now_.slots[index(process)].latest;
  }
  /// What the process has announced, as a step.
  [[nodiscard]] Step next_step(ProcessId process) const {
    const Standing::Slot& slot = now_.slots[index(process)];
    return {{process, 0}, 1, slot.awaited, slot.exits, slot.accesses, {}, {}};
  }
  [[nodiscard]] Footprint footprint(ProcessId process) const {
    return now_.slots[index(process)].accesses;
  }

  // --- who can move -----------------------------------------------------------------------------

  [[nodiscard]] const ProcessSet& enabled() const { return now_.enabled; }
  /// Those whose next step is asleep, whatever comes of it.
  [[nodiscard]] const ProcessSet& asleep() const { return sleepers_.processes(); }
  [[nodiscard]] bool is_enabled(ProcessId process) const { return now_.enabled.contains(process); }
  /// Whether the process can move and is not asleep.
  [[nodiscard]] bool may_move(ProcessId process) const {
    return now_.enabled.contains(process) && !asleep().contains(process);
  }
  [[nodiscard]] bool anyone_enabled() const {
    return !now_.enabled.empty() || !now_.exiting.empty();
  }
  /// Whether what the process has announced ends the program.
  [[nodiscard]] bool would_exit(ProcessId process) const { return now_.exiting.contains(process); }
  /// Whether all that can happen is that somebody ends the program.
  [[nodiscard]] bool only_exits_left() const {
    return now_.enabled.empty() && !now_.exiting.empty();
  }

  /// The source that the current decision asks for; by_outcome: it asks for an outcome.
  [[nodiscard]] std::uint32_t wanted_source() const {
    const bool told = now_.position < std::min(planned_, schedule_.sources.size());
    return told ? schedule_.sources[now_.position] : by_outcome;
  }
  /// The outcome that has the wanted source is this one.
  void take_outcome(std::uint16_t choice) { now_.current.choice = choice; }
  /// What the step that was committed last did to an atomic variable.
  void note(GraphStep step) {
    MAZURKA_CHECK(now_.position > 0, "only a step that was committed is part of the graph");
    const std::size_t event = now_.position - 1;
    if (event < schedule_.shared) return;
    MAZURKA_CHECK(execution_.graph.size() <= event, "each event is noted in the graph once");
    MAZURKA_CHECK(step.source == no_event || step.source < event,
                  "an event reads from earlier ones");
    execution_.graph.resize(event);
    execution_.graph.push_back(std::move(step));
  }

 protected:
  RunState(const Vocabulary& vocabulary, ProcessNames& names, Execution& execution)
      : vocabulary_(vocabulary), names_(names), execution_(execution) {}
  ~RunState() = default;

  const Vocabulary& vocabulary_;
  ProcessNames& names_;
  Execution& execution_;
  Schedule schedule_;
  Guide* guide_ = nullptr;
  std::size_t planned_ = 0;  // so many of the schedule's decisions are to be taken
  std::size_t spared_ = 0;
  bool over_ = false;
  Standing now_;
  RunSleepers sleepers_;
};

}  // namespace mazurka
