// Where an execution stands: which processes there are, what each has announced, who can move and
// who is asleep. What can be asked of a run; core/run.hpp has what can be done to it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/execution.hpp"
#include "core/ids.hpp"
#include "core/process_names.hpp"
#include "core/process_set.hpp"
#include "core/run_sleepers.hpp"
#include "core/schedule.hpp"
#include "core/step.hpp"
#include "core/vocabulary.hpp"

namespace mazurka {

class RunState {
 public:
  /// The process that exists from the beginning.
  [[nodiscard]] static constexpr ProcessId root() { return ProcessId{0}; }

  [[nodiscard]] const Vocabulary& vocabulary() const { return vocabulary_; }
  [[nodiscard]] const Execution& so_far() const { return execution_; }
  [[nodiscard]] bool over() const { return over_; }

  // --- the schedule -----------------------------------------------------------------------------

  [[nodiscard]] std::size_t position() const { return position_; }
  /// How many events of the previous execution this one repeats.
  [[nodiscard]] std::size_t shared() const { return schedule_.shared; }
  /// Whether the next event is one of the previous execution's, whose effects are known.
  [[nodiscard]] bool repeating() const { return position_ < schedule_.shared; }
  [[nodiscard]] bool records_states() const { return schedule_.record_states; }
  [[nodiscard]] bool wants_whole_states() const { return schedule_.whole_states; }
  [[nodiscard]] bool watches_reads() const { return schedule_.watch_reads; }
  /// Whether the schedule says that the process moves once more.
  [[nodiscard]] bool is_to_move(ProcessId process) const {
    if (schedule_.tentative || position_ >= planned_) return false;
    const auto rest = std::span<const Decision>(schedule_.prefix).subspan(position_);
    return std::any_of(rest.begin(), rest.end(),
                       [&](const Decision& one) { return one.process == process; });
  }

  // --- the processes ----------------------------------------------------------------------------

  /// So many processes were seen so far; their ids are smaller.
  [[nodiscard]] std::size_t known_processes() const { return std::max(used_slots_, names_.size()); }
  /// The processes created in this execution, in that order; the first process is not among them.
  [[nodiscard]] std::span<const ProcessId> created() const { return created_; }
  [[nodiscard]] bool is_alive(ProcessId process) const {
    return index(process) < used_slots_ && slots_[index(process)].alive;
  }
  [[nodiscard]] bool has_ended(ProcessId process) const {
    return index(process) < used_slots_ && !slots_[index(process)].alive &&
           slots_[index(process)].events > 0;
  }
  [[nodiscard]] std::uint32_t events_of(ProcessId process) const {
    return slots_[index(process)].events;
  }
  /// Of the process, or no_event.
  [[nodiscard]] std::uint32_t latest_event(ProcessId process) const {
    return slots_[index(process)].latest;
  }
  /// What the process has announced, as a step.
  [[nodiscard]] Step next_step(ProcessId process) const {
    const Slot& slot = slots_[index(process)];
    return {{process, 0}, 1, slot.awaited, slot.exits, slot.accesses, {}, {}};
  }
  [[nodiscard]] Footprint footprint(ProcessId process) const {
    return slots_[index(process)].accesses;
  }

  // --- who can move -----------------------------------------------------------------------------

  [[nodiscard]] const ProcessSet& enabled() const { return enabled_; }
  /// Those whose next step is asleep, whatever comes of it.
  [[nodiscard]] const ProcessSet& asleep() const { return sleepers_.processes(); }
  [[nodiscard]] bool is_enabled(ProcessId process) const { return enabled_.contains(process); }
  /// Whether the process can move and is not asleep.
  [[nodiscard]] bool may_move(ProcessId process) const {
    return enabled_.contains(process) && !asleep().contains(process);
  }
  [[nodiscard]] bool anyone_enabled() const { return !enabled_.empty() || !exiting_.empty(); }
  /// Whether all that can happen is that somebody ends the program.
  [[nodiscard]] bool only_exits_left() const { return enabled_.empty() && !exiting_.empty(); }

 protected:
  RunState(const Vocabulary& vocabulary, ProcessNames& names, Execution& execution)
      : vocabulary_(vocabulary), names_(names), execution_(execution) {}
  ~RunState() = default;

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

  const Vocabulary& vocabulary_;
  ProcessNames& names_;
  Execution& execution_;
  Schedule schedule_;
  std::size_t planned_ = 0;  // so many of the schedule's decisions are to be taken
  std::size_t position_ = 0;
  bool over_ = false;

  std::vector<Slot> slots_;  // by process
  std::size_t used_slots_ = 0;
  std::vector<ProcessId> created_;
  ProcessSet enabled_;
  ProcessSet exiting_;  // would end the program: can move when nobody else can
  RunSleepers sleepers_;
};

}  // namespace mazurka
