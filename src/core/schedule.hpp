// A request for one execution, as plain data.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/avoidance.hpp"
#include "core/futures.hpp"
#include "core/guide.hpp"
#include "core/ids.hpp"
#include "core/kept_orders.hpp"
#include "core/known_states.hpp"
#include "core/process_set.hpp"
#include "core/step.hpp"
#include "core/transitions.hpp"

namespace mazurka {

/// How an execution goes on by itself, for techniques that try their luck.
struct Whim {
  enum class Kind : std::uint8_t {
    random,      // each time any process that can move
    priorities,  // the one of highest priority; the priorities are drawn by lot
  };
  Kind kind{};
  std::uint64_t seed = 0;
  /// Priorities: before each of these events the process whose turn it is falls behind all others.
  std::span<const std::uint32_t> falls;
};

struct Schedule {
  /// The decisions to take, in order. After the last one the execution goes on by itself: the
  /// process that moved last if it can, else the first that can, and nobody who is asleep.
  std::span<const Decision> prefix;

  /// How many events of the previous execution this one repeats; they are verified, not recorded
  /// again. At most prefix.size().
  std::size_t shared = 0;

  /// Steps that are asleep after the shared events. Each wakes at the first later event that is
  /// dependent with it; Execution::woken says which that was.
  const StepList* asleep = nullptr;

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

  /// The decisions after the shared ones are wishes: from the first that cannot be taken, or that
  /// would be another step than `expected`, the execution goes on by itself.
  bool tentative = false;

  /// What is left, after the shared events, of the sequences that need not be done; `sequences`
  /// belongs to them. Nobody completes one while others can move; whoever does ends the execution
  /// there, as asleep. Needs record_states.
  const std::vector<Avoided>* avoid = nullptr;
  AvoidedSequences* sequences = nullptr;

  /// Where given, two neighbouring steps that are known to commute need to be taken in the order
  /// that is kept only, once the first of them has been dealt with at the node before both: a step
  /// that comes too late ends the execution, as asleep. Needs record_states.
  Transitions* transitions = nullptr;
  KeptOrders* kept_orders = nullptr;
  /// Per node, whose steps have been dealt with: those explored there, or that need not be. The
  /// shared nodes must be there, the execution adds the others.
  std::vector<ProcessSet>* dealt_with = nullptr;

  /// Where given: whoever arrives in one of these states ends the execution there, as asleep. Needs
  /// record_states.
  const KnownStates* known = nullptr;

  /// Where given: a step that would complete a sequence that need not be done (`avoid`) is taken at
  /// once if nobody else may come to do anything that conflicts with it; all that could follow the
  /// node would lead where that leads.
  const Futures* futures = nullptr;

  /// How to go on after the prefix, instead of as said there.
  const Whim* whim = nullptr;
  /// The same, by somebody who is asked each time.
  Guide* guide = nullptr;

  /// The steps that the decisions after the shared ones are known to be, as far as they are. They
  /// are verified too.
  const StepList* expected = nullptr;
};

}  // namespace mazurka
