// What is taken from a node, and in which order: the variant's source set, of what is awake.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "explorers/stateful/first_set.hpp"
#include "explorers/stateful/search.hpp"
#include "explorers/stateful/source_sets.hpp"
#include "explorers/stateful/stopwatch.hpp"
#include "explorers/stateful/system.hpp"
#include "explorers/stateful/variant.hpp"

namespace mazurka::stateful {

class Selection {
 public:
  /// `test` answers which of the actions are promising; what is asked is counted and timed.
  Selection(const System& system, const Pairs* pairs, const Variant& variant, FirstSetTest& test,
            Counts& counts, const Timing& timing)
      : variant_(variant),
        test_(test),
        counts_(counts),
        timing_(timing),
        source_sets_(system, SourceSets::Walk::over_groups, pairs) {}

  /// The actions to take in this state, in order. Valid until the next call. `chosen` is told them
  /// before they are put in order.
  template <typename Chosen>
  std::span<const ActionId> select(const LocalState* locals, const std::vector<ActionId>& enabled,
                                   const RoundSet& sleeping, Chosen&& chosen) {
    choose_source(locals, enabled, sleeping);
    chosen(std::span<const ActionId>(plan_));
    if (variant_.choice == Choice::promising && plan_.size() > 1) {
      most_promising_first(locals, enabled);
    }
    return plan_;
  }

  [[nodiscard]] std::uint64_t work() const { return source_sets_.work(); }

 private:
  void choose_source(const LocalState* locals, const std::vector<ActionId>& enabled,
                     const RoundSet& sleeping);
  void most_promising_first(const LocalState* locals, const std::vector<ActionId>& enabled);

  const Variant variant_;
  FirstSetTest& test_;
  Counts& counts_;
  const Timing& timing_;
  SourceSets source_sets_;
  std::vector<ActionId> awake_;
  std::vector<ActionId> plan_;
  std::vector<std::pair<ActionId, std::size_t>> promise_;
};

}  // namespace mazurka::stateful
