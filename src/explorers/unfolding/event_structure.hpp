// The part of the unfolding that is known: events with their histories, causality and conflict.
//
// An event is an operation together with its history, the set of events that had to happen before.
// It is stored by its immediate causes and made once: the same operation with the same causes is
// the same event (hash-consing). Two events that no execution can contain together are in conflict:
// different events of a process of which neither is in the other's history, dependent events of
// which neither is in the other's history, any two that end the program, and everything that has
// such a pair in its histories.
//
// History and conflicts of every event are kept as bit sets, worked out once when the event is made
// from those of its causes, a word at a time: causality and conflict are O(1), never a walk through
// a graph. Histories share what they have in common (shared_set.hpp). What the search needs no more
// is forgotten, and its numbers are used again.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/step.hpp"
#include "core/vocabulary.hpp"
#include "explorers/unfolding/event_set.hpp"
#include "explorers/unfolding/shared_set.hpp"

namespace mazurka::unfolding {

class EventStructure {
 public:
  explicit EventStructure(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  /// The event in which the step happens right after these causes: the previous event of its
  /// process (or no_event_id), and others; causes that are in the history of others do no harm.
  EventId event(const Step& step, EventId previous, std::span<const EventId> causes);

  /// The event's step, for a schedule. Valid until the next event is made.
  [[nodiscard]] Step step(EventId event) const;

  [[nodiscard]] const SharedSet& history(EventId event) const { return events_[event].history; }
  [[nodiscard]] const EventSet& conflicts(EventId event) const { return events_[event].conflicts; }
  /// In conflict with `with`, with nothing in its history that is.
  [[nodiscard]] bool first_in_conflict(EventId event, EventId with) const;
  /// Later events have greater numbers; whatever is in an event's history is older.
  [[nodiscard]] std::uint64_t age(EventId event) const { return events_[event].age; }

  /// Greater than the number of every event that is known.
  [[nodiscard]] std::size_t numbers() const { return events_.size(); }
  /// How many events were known at one time, at most.
  [[nodiscard]] std::size_t largest() const { return largest_; }

  /// Forgets everything but these events and their histories.
  void keep(const EventSet& wanted);

 private:
  struct Event {
    Decision decision;
    ProcessId awaited = no_process;
    bool exits = false;
    EventId previous = no_event_id;
    std::uint64_t age = 0;
    std::vector<Access> accesses;
    std::vector<EventId> causes;   // immediate, sorted
    std::vector<EventId> effects;  // those that it is an immediate cause of
    SharedSet history;
    EventSet conflicts;
  };
  using Touches = std::array<SharedSet, max_modes>;  // who does what to an object

  [[nodiscard]] std::uint64_t hash(Decision decision, const std::vector<EventId>& causes) const;
  [[nodiscard]] EventId find(std::uint64_t hash, Decision decision,
                             std::span<const EventId> siblings) const;
  void leave_immediate_causes();
  EventId make(const Step& step, EventId previous, std::uint64_t hash);
  EventId next_number();
  void make_known(EventId made, std::uint64_t hash);
  void find_conflicts(EventId made);
  void find_conflicts(EventId made, const Access& access);
  /// With it, all that has it in its history.
  void add_conflict(EventId made, EventId with);
  std::vector<EventId>& successors(ProcessId process, EventId previous);

  static constexpr std::size_t few = 8;

  const Vocabulary& vocabulary_;
  std::vector<Event> events_;
  std::vector<EventId> free_;
  std::vector<EventId> live_;
  std::unordered_multimap<std::uint64_t, EventId> known_;
  std::vector<Touches> touches_;                    // per object
  std::vector<EventId> exits_;                      // those that end the program
  std::vector<std::vector<EventId>> first_events_;  // per process
  std::vector<std::vector<EventId>> next_events_;   // per event: those of its process right after
  std::vector<EventId> causes_;                     // scratch
  std::vector<EventId> later_;                      // scratch
  SharedSet scratch_;
  std::uint64_t made_ = 0;
  std::size_t largest_ = 0;
};

}  // namespace mazurka::unfolding
