// A request for one execution, as plain data: it owns what it names, and can be sent elsewhere.
#pragma once

#include <cstdint>
#include <vector>

#include "core/archive.hpp"
#include "core/ids.hpp"
#include "core/step.hpp"

namespace mazurka {

struct Schedule {
  /// The decisions to take, in order. After the last one the execution goes on by itself: the
  /// process that moved last if it can, else the first that can, and nobody who is asleep.
  std::vector<Decision> prefix{};

  /// How many events of the previous execution this one repeats; they are verified, not recorded
  /// again. At most prefix.size().
  std::size_t shared = 0;

  /// Steps that are asleep after the shared events. Each wakes at the first later event that is
  /// dependent with it; Execution::woken says which that was.
  StepList asleep{};

  /// Whether Execution::enabled is wanted.
  bool record_enabled = false;

  /// Whether Execution::after and Execution::changes are wanted (and `before` for every access).
  /// Only for programs that have states.
  bool record_states = false;

  /// Whether the changes are to be found by going through the whole state at each event, not only
  /// through what the event touched. The result is the same; this is for measuring what it costs.
  bool whole_states = false;

  /// Whether all that reads an object must do so in an event: it observes. A program that cannot
  /// say so must refuse.
  bool watch_reads = false;

  /// Whether the events are to keep the footprints that were announced, though some of them did
  /// less (Step::announced): for techniques to which a step is what it may do.
  bool as_announced = false;

  /// Whether the order of steps that move a value in whatever order counts all the same
  /// (Vocabulary::Mode::moves).
  bool moves_in_order = false;

  /// The decisions after the shared ones are wishes: from the first that cannot be taken, or that
  /// would be another step than `expected`, the execution goes on by itself.
  bool tentative = false;

  /// For each decision of the prefix: the event from which it is to read, or behind which it is to
  /// write, in place of an outcome's number (GraphStep::source); by_outcome: it is the number. May
  /// be shorter: by_outcome. If that is not possible the execution is.
  std::vector<std::uint32_t> sources{};

  /// The steps that the decisions after the shared ones are known to be, as far as they are. They
  /// are verified too.
  StepList expected{};
};
template <typename Archive>
void members(Archive& archive, Same<Schedule> auto& v) {
  archive(v.prefix, v.shared, v.asleep, v.record_enabled, v.record_states, v.whole_states,
          v.watch_reads, v.as_announced, v.moves_in_order, v.tentative, v.sources, v.expected);
}

}  // namespace mazurka
