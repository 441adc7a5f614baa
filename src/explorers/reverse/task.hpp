// What reverse search has to do: an execution that is not performed yet, as plain data.
//
// An execution is a row of *turns*. A turn is a single event, of the process whose turn it was, or
// (a delay) all that had to come before that process could not be the first any more. Nearly all
// turns are single events with their first outcome, as they come by themselves; a task names only
// the others. All turns together, one after the other, are the execution in the order in which it
// is performed, so a turn begins where so many events have been performed.
//
// A long execution has many children, and most of them begin as it does. So they share its
// decisions, and each has only those of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/archive.hpp"
#include "core/graph_step.hpp"
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

/// Decisions, of which the first ones are those of an execution that was performed.
class Prefix {
 public:
  using Performed = std::shared_ptr<const std::vector<Decision>>;

  Prefix() = default;
  Prefix(Performed performed, std::size_t shared)
      : performed_(std::move(performed)), shared_(static_cast<std::uint32_t>(shared)) {}

  [[nodiscard]] std::size_t size() const { return shared_ + own_.size(); }
  [[nodiscard]] bool empty() const { return size() == 0; }
  /// `source`: which event it reads from or writes behind, if the decision does not say that
  /// (Schedule::sources).
  void push_back(Decision decision, std::uint32_t source = by_outcome) {
    if (source != by_outcome) {
      sources_.resize(own_.size(), by_outcome);
      sources_.push_back(source);
    }
    own_.push_back(decision);
  }
  /// Writes it down.
  void spell_out(std::vector<Decision>& decisions, std::vector<std::uint32_t>& sources) const;

  [[nodiscard]] const Performed& performed() const { return performed_; }

 private:
  template <typename Archive>
  friend void members(Archive& archive, Same<Prefix> auto& v);
  friend std::vector<struct Task> load_tasks(ArchiveReader& archive);

  Performed performed_;
  std::uint32_t shared_ = 0;
  std::vector<Decision> own_;
  std::vector<std::uint32_t> sources_;  // of these
};

struct Task {
  Prefix prefix;            // up to the last event of the last turn
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
void members(Archive& archive, Same<Prefix> auto& v) {  // all but what was performed
  archive(v.shared_, v.own_, v.sources_);
}
template <typename Archive>
void members(Archive& archive, Same<Task> auto& v) {
  archive(v.prefix, v.turns, v.provisional, v.look, v.weight);
}

/// Each execution is written once for all of its children that follow one another.
void save_tasks(ArchiveWriter& archive, const std::vector<Task>& tasks);
/// Throws ArchiveError if they contradict themselves.
[[nodiscard]] std::vector<Task> load_tasks(ArchiveReader& archive);

/// What can be said of a step without naming objects, whose numbers are this process's own.
inline void add_look(RunningHash& look, const Step& step) {
  look.add(index(step.process()));
  for (const Access& access : step.accesses) look.add(access.kind * 256U + access.mode);
}

}  // namespace mazurka::reverse
