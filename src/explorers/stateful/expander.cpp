#include "explorers/stateful/expander.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace mazurka::stateful {

namespace {

/// What words are kept for: the tests and closures that look at partners.
bool looks_at_partners(const Variant& variant) {
  if (variant.test == Test::pifs || variant.test == Test::rpifs) return true;
  return variant.source != Source::enabled && variant.source != Source::persistent;
}

}  // namespace

Expander::Expander(const System& system, const Variant& variant, const ExactFirstSets* exact,
                   Counts& counts)
    : system_(system),
      variant_(variant),
      exact_(exact),
      counts_(counts),
      pairs_(looks_at_partners(variant) && Pairs::fit(system)
                 ? std::optional<Pairs>(std::in_place, system)
                 : std::nullopt),
      first_set_test_(system, pairs_ ? &*pairs_ : nullptr),
      selection_(system, pairs_ ? &*pairs_ : nullptr, variant, first_set_test_, counts, timing_),
      state_(system.words()),
      locals_(system.processes()),
      below_state_(system.words()) {
  sleeping_.resize(system.actions());
  below_.resize(system.actions());
}

void Expander::load_state(const Word* state) {
  std::copy_n(state, system_.words(), state_.begin());
  hash_ = system_.hash(state_.data());
  system_.unpack(state_.data(), locals_.data());
  moved_ = ~Word{0};
}

void Expander::load(const Word* state, std::span<const Word> mask) {
  load_state(state);
  find_enabled(enabled_);
  asleep_.clear();
  sleeping_.clear();
  for_each_bit(mask.data(), mask.size(), [&](std::size_t at) {
    MAZURKA_CHECK(at < enabled_.size(), "what sleeps in a node is enabled there");
    asleep_.push_back(enabled_[at]);
    sleeping_.insert(enabled_[at]);
  });
}

void Expander::find_enabled(std::vector<ActionId>& out) {
  if (!pairs_) return system_.enabled(locals_.data(), out);
  follow();
  pairs_->enabled(out);
}

void Expander::step(ActionId action) {
  hash_below_ = system_.step(state_.data(), hash_, locals_.data(), action, below_state_.data());
  before_.clear();
  for (const System::Participant& who : system_.participants(action)) {
    before_.push_back(locals_[who.process]);
    locals_[who.process] = system_.target(who, locals_[who.process]);
  }
  moved_ |= *system_.domain(action);
  work_ += 6;  // about as much as looking around, which is not always done
}

void Expander::look_around(ActionId action) {
  find_enabled(enabled_below_);
  put_to_sleep(action);
}

void Expander::step_back(ActionId action) {
  MAZURKA_CHECK(before_.size() == system_.participants(action).size(),
                "the step that was taken last is taken back");
  std::size_t at = 0;
  for (const System::Participant& who : system_.participants(action)) {
    locals_[who.process] = before_[at++];
  }
  moved_ |= *system_.domain(action);
}

void Expander::step_to_initial() {
  system_.initial(below_state_.data());
  hash_below_ = system_.hash(below_state_.data());
  system_.unpack(below_state_.data(), locals_.data());
  moved_ = ~Word{0};
  find_enabled(enabled_below_);
  mask_.clear();
}

/// awake_below_: what of the successor's enabled actions is not asleep; mask_: what is.
void Expander::put_to_sleep(ActionId action) {
  below_.clear();
  for (const ActionId sleeper : asleep_) {
    if (!system_.dependent(action, sleeper)) below_.insert(sleeper);
  }
  mask_.assign(words_for(enabled_below_.size()), 0);
  awake_below_.clear();
  for (std::size_t at = 0; at < enabled_below_.size(); ++at) {
    if (below_.contains(enabled_below_[at])) {
      if (variant_.sleep) insert(mask_.data(), at);
    } else {
      awake_below_.push_back(enabled_below_[at]);
    }
  }
}

bool Expander::worth_a_node() {
  MAZURKA_CHECK(awake_below_.size() <= enabled_below_.size(), "what is awake is enabled");
  if (enabled_below_.empty()) return true;
  if (awake_below_.empty()) return false;
  if (awake_below_.size() == enabled_below_.size() || variant_.test == Test::awake) return true;
  const Stopwatch watch(counts_.first_set_seconds, timing_);
  ++counts_.first_set_tests;
  if (variant_.test == Test::exact) {
    allowed_.assign(system_.action_words(), 0);
    for (const ActionId action : awake_below_) insert(allowed_.data(), action);
    MAZURKA_CHECK(exact_ != nullptr, "the exact test has its first sets");
    return exact_->included(below_state_.data(), allowed_);
  }
  const auto paths =
      variant_.test == Test::rpifs ? FirstSetTest::Paths::any : FirstSetTest::Paths::within_set;
  return first_set_test_(locals_.data(), enabled_below_, awake_below_, paths).possible;
}

}  // namespace mazurka::stateful
