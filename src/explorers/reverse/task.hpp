// What reverse search has to do: an execution that is not performed yet, as plain data.
//
// An execution is a row of *turns*. A turn is a single event, of the process whose turn it was, or
// (a delay) all that had to come before that process could not be the first any more. Nearly all
// turns are single events with their first outcome, as they come by themselves; a task names only
// the others. All turns together, one after the other, are the execution in the order in which it
// is performed, so a turn begins where so many events have been performed.
#pragma once

#include <cstdint>
#include <vector>

#include "core/archive.hpp"
#include "core/hash.hpp"
#include "core/ids.hpp"
#include "core/step.hpp"

namespace mazurka::reverse {

/// A turn that did not come by itself.
struct Turn {
  std::uint32_t first = 0;         // it begins after so many events
  std::uint32_t last = 0;          // its last event: the one that delays, or has another outcome
  ProcessId delayed = no_process;  // whose turn it was; none: the event's own, with another outcome
  /// Right after it the delayed process reads what the last event has written to an atomic variable
  /// (variables.hpp).
  bool read = false;

  /// Where the next turn begins.
  [[nodiscard]] std::uint32_t end() const { return last + (read ? 2 : 1); }
  [[nodiscard]] bool is_delay() const { return delayed != no_process; }
  friend bool operator==(const Turn&, const Turn&) = default;
};

struct Task {
  std::vector<Decision> prefix;  // up to the last event of the last turn
  /// Which event each reads from or writes behind, as far as the decisions do not say that
  /// (Schedule::sources).
  std::vector<std::uint32_t> sources;
  std::vector<Turn> turns;  // in their order
  /// Its last step was asked for as if it did all that it may. If it does less, somebody else
  /// may have this execution, too (Children::belongs_to).
  bool provisional = false;
  /// Of what the prefix does, without its last event (add_look): elsewhere it must do the same.
  std::uint64_t look = 0;
  /// Its part of the whole search, if an execution and each of its children were equally large.
  double weight = 1;

  /// Who is next after the prefix, if it can.
  [[nodiscard]] ProcessId then() const {
    return turns.empty() || turns.back().read ? no_process : turns.back().delayed;
  }
};

template <typename Archive>
void members(Archive& archive, Same<Turn> auto& v) {
  archive(v.first, v.last, v.delayed, v.read);
}
template <typename Archive>
void members(Archive& archive, Same<Task> auto& v) {
  archive(v.prefix, v.sources, v.turns, v.provisional, v.look, v.weight);
}

/// What can be said of a step without naming objects, whose numbers are this process's own.
inline void add_look(RunningHash& look, const Step& step) {
  look.add(index(step.process()));
  for (const Access& access : step.accesses) look.add(access.kind * 256U + access.mode);
}

}  // namespace mazurka::reverse
