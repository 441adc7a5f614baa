// How the context-sensitive searches end an execution in a known state.
//
// There are three ways to know that everything after an event is explored elsewhere: it completed a
// sequence that need not be done (avoidance.hpp); it arrived in a state that is known; it could as
// well have come before one that it should have come before (canonical_orders.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "core/guide.hpp"
#include "explorers/context/avoidance.hpp"
#include "explorers/context/canonical_orders.hpp"
#include "explorers/context/futures.hpp"
#include "explorers/context/known_states.hpp"
#include "explorers/context/transitions.hpp"

namespace mazurka {

class Pruning final : public Guide {
 public:
  /// What is left, after the shared events, of the sequences that need not be done. Nobody
  /// completes one while others can move; whoever does ends the execution there.
  void avoid(const std::vector<Avoided>& left, AvoidedSequences& sequences) {
    avoid_ = &left;
    sequences_ = &sequences;
  }

  /// Two neighbouring steps that are known to commute need to be taken in their canonical order
  /// only, once the first of them has been dealt with at the node before both: a step that comes
  /// too late ends the execution. Needs deal_with().
  void keep_canonical(Transitions& transitions, CanonicalOrders& orders) {
    transitions_ = &transitions;
    canonical_orders_ = &orders;
  }
  [[nodiscard]] bool keeps_canonical() const { return transitions_ != nullptr; }

  /// Per node, whose steps have been dealt with: those explored there, or that need not be. The
  /// shared nodes must be there, the execution adds the others.
  void deal_with(std::vector<ProcessSet>& nodes) {
    dealt_with_ = &nodes;
    joins_last_ = true;  // joins commute with what the others do: later, more is known of the rest
  }

  /// Whoever arrives in one of these states ends the execution there.
  void know(const KnownStates& states) { known_ = &states; }

  /// A step that would complete a sequence that need not be done is taken at once if nobody else
  /// may come to do anything that conflicts with it: all that could follow the node would lead
  /// where that leads.
  void anticipate(const Futures& futures) { futures_ = &futures; }
  [[nodiscard]] bool anticipates() const { return futures_ != nullptr; }

  void started(const RunState& run) override;
  void arrived(const RunState& run) override;
  void committed(const RunState& run, const Step& step) override;
  [[nodiscard]] bool effects(const RunState& run, const Fingerprint& change) override;
  [[nodiscard]] Choice choose(const RunState& run) override;

 private:
  void forbid_avoided();
  void recall_states(const RunState& run);
  [[nodiscard]] bool compares_states() const {
    return transitions_ != nullptr || known_ != nullptr;
  }
  [[nodiscard]] ProcessId undisturbed(const RunState& run) const;
  [[nodiscard]] ProcessId completes_one(const RunState& run) const;
  [[nodiscard]] bool arrived_where_explored(const RunState& run, const Fingerprint& change);
  [[nodiscard]] bool came_too_late(const RunState& run);

  const std::vector<Avoided>* avoid_ = nullptr;
  AvoidedSequences* sequences_ = nullptr;
  Transitions* transitions_ = nullptr;
  CanonicalOrders* canonical_orders_ = nullptr;
  std::vector<ProcessSet>* dealt_with_ = nullptr;
  const KnownStates* known_ = nullptr;
  const Futures* futures_ = nullptr;

  std::vector<Avoided> left_;             // of what is to be avoided, now
  std::vector<std::uint32_t> shortened_;  // those that the latest event took a step from
  std::vector<Fingerprint> states_;       // before each event, where states are compared
};

}  // namespace mazurka
