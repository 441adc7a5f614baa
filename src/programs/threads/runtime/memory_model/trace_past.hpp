// What comes before a step in the trace that is being performed.
//
// The explorers' happens-before (analysis/happens_before.hpp), kept up to date while an execution
// goes on: a step comes after those of its process, after the steps that it depends on, and after
// the one that released its process. Equivalent executions agree on it.
#pragma once

#include <cstdint>

#include "core/execution.hpp"
#include "core/reused_list.hpp"
#include "core/table.hpp"
#include "core/vocabulary.hpp"
#include "native/memory_model/clocks.hpp"

namespace mazurka::threads {
using namespace native;

class TracePast {
 public:
  /// The event was performed, and is the latest. Those that touch objects of kinds from
  /// `first_message_kind` on may cause others without having released them.
  void add(const Vocabulary& vocabulary, const Execution& execution, std::size_t event,
           std::uint8_t first_message_kind) {
    const Step step = execution.steps[event];
    VectorClock& own = processes_[step.process()];
    if (step.awaited != no_process) own.join(processes_[step.awaited]);
    execution.for_each_cause(event, [&](std::uint32_t cause) {
      if (const VectorClock* known = causes_.find(cause)) own.join(*known);
    });
    for (const Access& access : step.accesses) join_others(vocabulary, access, own);
    own.tick(step.process());
    for (const Access& access : step.accesses) {
      objects_[access.object].at(access.mode).join(own);
      if (access.kind >= first_message_kind) causes_[static_cast<std::uint32_t>(event)].assign(own);
    }
    for (const ProcessId released : step.released) processes_[released].join(own);
  }

  /// How many steps the process has taken.
  [[nodiscard]] std::uint32_t steps_of(ProcessId process) {
    return processes_[process][index(process)];
  }
  /// What comes before the next step of the process.
  [[nodiscard]] const VectorClock& before_next_of(ProcessId process) { return processes_[process]; }
  /// Whether the n-th step of one process comes before what the other does next.
  [[nodiscard]] bool precedes(ProcessId one, std::uint32_t nth, ProcessId other) {
    return processes_[other][index(one)] >= nth;
  }
  /// Whether it comes before an access in that mode that was made to the object.
  [[nodiscard]] bool precedes_access(ProcessId one, std::uint32_t nth, ObjectId object,
                                     std::uint8_t mode) {
    return objects_[object].at(mode)[index(one)] >= nth;
  }

  friend bool operator==(const TracePast&, const TracePast&) = default;

 private:
  /// By mode, what is known to all who touched it in that mode together.
  struct OfObject {
    VectorClock& at(std::uint8_t mode) {
      modes.grow(std::size_t{mode} + 1);
      return modes[mode];
    }
    ReusedList<VectorClock> modes;
    friend bool operator==(const OfObject&, const OfObject&) = default;
  };

  void join_others(const Vocabulary& vocabulary, const Access& access, VectorClock& own) {
    const ReusedList<VectorClock>& modes = objects_[access.object].modes;
    for (std::size_t mode = 0; mode < modes.size(); ++mode) {
      if (vocabulary.related(access.kind, access.mode, static_cast<std::uint8_t>(mode))) {
        own.join(modes[mode]);
      }
    }
  }

  Table<ProcessId, VectorClock> processes_;
  Table<ObjectId, OfObject> objects_;
  Table<std::uint32_t, VectorClock> causes_;
};

}  // namespace mazurka::threads
