// One execution as plain data: the answer to a schedule.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/ids.hpp"
#include "core/process_set.hpp"
#include "core/step.hpp"

namespace mazurka {

enum class Ending : std::uint8_t {
  complete,  // every process finished, or one of them ended the program
  deadlock,  // someone is left and nobody can move
  asleep,    // whoever can move is asleep: all that could follow is explored elsewhere
  failed,    // a finding, and the search was told to stop at the first
  cut,       // the bound on events was reached
  stalled,   // a process computes for ever without a visible operation; the others have ended
  diverged,  // a replayed event was not what it had been: uncontrolled nondeterminism
};

[[nodiscard]] constexpr std::string_view name(Ending ending) {
  switch (ending) {
    case Ending::complete: return "complete";
    case Ending::deadlock: return "deadlock";
    case Ending::asleep: return "asleep";
    case Ending::failed: return "failed";
    case Ending::cut: return "cut";
    case Ending::stalled: return "stalled";
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
  /// The events. A step's `choices` and `released` are what the event turned out to have.
  StepList steps;

  struct Event {
    std::uint32_t index = 0;         // n-th event of its process, from 0
    std::uint32_t cause = no_event;  // the event that released its process since its last event
  };
  std::vector<Event> events;

  /// For every access of `steps`, in order: the object's value just before. Only kinds of objects
  /// that have guarded modes fill it in; the others leave 0.
  std::vector<std::uint64_t> before;

  /// Where the schedule asked for states (record_states): for every access of `steps` the object's
  /// value just after, and for every event what it changed in the fingerprint of the state. The
  /// same event, with the same events before it in happens-before, always makes the same change.
  std::vector<std::uint64_t> after;
  std::vector<Fingerprint> changes;

  /// Who was enabled before each event, where the schedule asked for it.
  std::vector<ProcessSet> enabled;

  /// What each unfinished process would do next, at the end.
  StepList pending;
  std::vector<Pending> pending_state;  // parallel to `pending`

  /// Per sleeping step of the schedule: the event that woke it, or no_event.
  std::vector<std::uint32_t> woken;

  std::size_t processes = 0;  // how many have been named so far in this exploration
  Ending ending = Ending::complete;

  [[nodiscard]] std::size_t size() const { return steps.size(); }
};

}  // namespace mazurka
