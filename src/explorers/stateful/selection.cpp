#include "explorers/stateful/selection.hpp"

#include <algorithm>
#include <limits>

#include "core/check.hpp"

namespace mazurka::stateful {

void Selection::choose_source(const LocalState* locals, const std::vector<ActionId>& enabled,
                              const RoundSet& sleeping) {
  awake_.clear();
  for (const ActionId action : enabled) {
    if (!sleeping.contains(action)) awake_.push_back(action);
  }
  if (variant_.source == Source::enabled || awake_.size() <= 1) {
    plan_.assign(awake_.begin(), awake_.end());
    return;
  }
  const Stopwatch watch(counts_.source_set_seconds, timing_);
  ++counts_.source_sets;
  const auto everything = std::numeric_limits<std::size_t>::max();
  switch (variant_.source) {
    case Source::enabled: break;
    case Source::lex_closure:
      source_sets_.around(locals, enabled.front(), SourceSets::Kind::closure, awake_, everything,
                          plan_);
      break;
    case Source::min_closure:
      source_sets_.smallest(locals, awake_, SourceSets::Kind::closure, awake_, plan_);
      break;
    case Source::min_closure_any:
      source_sets_.smallest(locals, enabled, SourceSets::Kind::closure, enabled, plan_);
      std::erase_if(plan_, [&](ActionId action) { return sleeping.contains(action); });
      break;
    case Source::persistent:
      source_sets_.smallest(locals, awake_, SourceSets::Kind::persistent, awake_, plan_);
      break;
  }
}

// The listing asks again before every choice, but the answers do not depend on what was chosen
// before: first, in order, those that alone might begin a maximal run; then the others, the one
// with the largest set first. The last one stays the last where all before it might.
void Selection::most_promising_first(const LocalState* locals,
                                     const std::vector<ActionId>& enabled) {
  const Stopwatch watch(counts_.first_set_seconds, timing_);
  promise_.clear();
  bool all_possible = true;
  for (const ActionId action : plan_) {
    if (all_possible && promise_.size() + 1 == plan_.size()) break;
    ++counts_.first_set_tests;
    const auto answer = test_(locals, enabled, {&action, 1});
    promise_.emplace_back(action,
                          answer.possible ? std::numeric_limits<std::size_t>::max() : answer.size);
    if (answer.possible) test_.be_sure_of(action);
    all_possible = all_possible && answer.possible;
  }
  MAZURKA_CHECK(promise_.size() + 1 >= plan_.size(), "all but the last are tested");
  test_.forget();
  if (all_possible) return;
  MAZURKA_CHECK(promise_.size() == plan_.size(), "the order is one of all actions");
  std::stable_sort(promise_.begin(), promise_.end(),
                   [](const auto& one, const auto& other) { return one.second > other.second; });
  for (std::size_t at = 0; at < plan_.size(); ++at) plan_[at] = promise_[at].first;
}

}  // namespace mazurka::stateful
