// A request for one execution, as plain data.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/avoidance.hpp"
#include "core/ids.hpp"
#include "core/step.hpp"

namespace mazurka {

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

  /// The decisions after the shared ones are wishes: from the first that cannot be taken, the
  /// execution goes on by itself.
  bool tentative = false;

  /// What is left, after the shared events, of the sequences that need not be done; `sequences`
  /// belongs to them. Nobody completes one while others can move; whoever does ends the execution
  /// there, as asleep. Needs record_states.
  const std::vector<Avoided>* avoid = nullptr;
  AvoidedSequences* sequences = nullptr;

  /// The steps that the decisions after the shared ones are known to be, as far as they are. They
  /// are verified too.
  const StepList* expected = nullptr;
};

}  // namespace mazurka
