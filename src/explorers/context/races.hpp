// What the races of an execution ask for in a context-sensitive search: sequences to be explored,
// and sequences that need not be.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/happens_before.hpp"
#include "analysis/reversal.hpp"
#include "analysis/step_union.hpp"
#include "core/execution.hpp"
#include "core/step.hpp"
#include "core/vocabulary.hpp"
#include "explorers/context/canonical_orders.hpp"
#include "explorers/context/nodes.hpp"
#include "explorers/context/observation.hpp"
#include "explorers/context/pending_sequences.hpp"
#include "explorers/path.hpp"

namespace mazurka {

class ContextRaces {
 public:
  /// What a race asks for at its node.
  enum class Asks : std::uint8_t {
    for_the_sequence,  // all of the reversed continuation
    for_an_initial,    // some step that could come first in it
  };
  struct Features {
    bool context = false;
    bool observers = false;
    Asks asks = Asks::for_the_sequence;
  };

  ContextRaces(const Vocabulary& vocabulary, Features features, const Path& path,
               ContextNodes& nodes);

  /// Analyses the path's execution.
  void analyse(PendingSequences& pending);

  /// Whether two steps were seen that commute, or may.
  [[nodiscard]] bool something_commutes() const { return pruned_; }

  [[nodiscard]] Observation& observation() { return observation_; }
  [[nodiscard]] const Observation& observation() const { return observation_; }
  [[nodiscard]] const Initials& initials() const { return initials_; }
  [[nodiscard]] CanonicalOrders& canonical_orders() { return canonical_orders_; }

 private:
  enum class Round : std::uint8_t { real, relaxed };
  /// A race, and the event that must be repeated for what was judged of it to hold again.
  struct Judged {
    Race race;
    std::uint32_t settled_by;
  };
  static constexpr std::uint32_t for_good = 0;  // its own events are enough
  static constexpr std::uint32_t not_settled = no_event;

  void judge_again(Judged& judged);
  void relax();
  void handle(const Race& race, const HappensBefore& order, Round round);
  void handle_observed(const Race& race, const HappensBefore& order, Round round);
  [[nodiscard]] bool in_canonical_order(const Race& race);
  [[nodiscard]] bool immediate(const Race& race, const HappensBefore& order) const;
  [[nodiscard]] bool needed(const Race& race, const HappensBefore& order, Round round);
  void build_plain(const Race& race, const HappensBefore& order);
  bool build_observed(const Race& race, const HappensBefore& order);
  [[nodiscard]] bool covered(std::size_t node);
  void put_last_first();
  void put_joins_last();
  void arrange(bool last_first);
  void ask_for(const Race& race, Round round);
  void settle_commuting(const Race& race, const HappensBefore& order, Round round, bool wanted);
  void avoid(const Race& race, const HappensBefore& order, bool proven);

  const Vocabulary& vocabulary_;
  Features features_;
  const Path& path_;
  ContextNodes& nodes_;
  Observation observation_;
  Initials initials_;
  HappensBefore real_;
  HappensBefore relaxed_;
  Reversal reversal_;
  PendingSequences* pending_ = nullptr;
  CanonicalOrders canonical_orders_;
  bool pruned_ = false;  // something was, or some pair commutes

  std::vector<Judged> races_;               // of the real order, by their second event
  std::uint32_t settled_by_ = not_settled;  // of the race that is being judged
  std::vector<std::size_t> skipped_;        // scratch: of these races
  StepList sequence_;                       // scratch
  StepList arranged_;                       // scratch
  StepUnion chosen_;                        // scratch: steps of the sequence
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> late_;
  std::vector<std::uint32_t> left_out_;
  std::vector<std::uint32_t> events_;
  std::vector<std::uint32_t> observers_;
  std::vector<Race> round_;
};

}  // namespace mazurka
