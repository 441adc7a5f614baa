#include "explorers/context/races.hpp"

#include <algorithm>

#include "analysis/commutation.hpp"
#include "core/check.hpp"

namespace mazurka {

namespace {

/// The events from `from` to `to`, followed by more steps.
struct Continued {
  const StepList& events;
  std::size_t from;
  std::size_t to;
  const StepList& more;

  [[nodiscard]] std::size_t size() const { return to - from + more.size(); }
  [[nodiscard]] Step operator[](std::size_t at) const {
    return at < to - from ? events[from + at] : more[at - (to - from)];
  }
};

}  // namespace

ContextRaces::ContextRaces(const Vocabulary& vocabulary, Features features, const Path& path,
                           ContextNodes& nodes)
    : vocabulary_(vocabulary),
      features_(features),
      path_(path),
      nodes_(nodes),
      observation_(vocabulary, features.observers ? Observation::Writes::count_if_observed
                                                  : Observation::Writes::all_count),
      initials_(vocabulary, features.observers ? &observation_ : nullptr),
      real_(vocabulary),
      relaxed_(vocabulary),
      reversal_(vocabulary, real_, path.sleepers()),
      chosen_(vocabulary) {}

// Once anything was pruned, all races are analysed again each time: what a race asks for depends on
// how the execution went on after it, and a sequence that was asked for before may have ended in a
// cut. Until then this is plain optimal DPOR, which looks again at those races only that were
// judged by what came after them (Reversal::Need).
void ContextRaces::analyse(PendingSequences& pending) {
  pending_ = &pending;
  const Execution& execution = path_.execution();
  observation_.forget_loose();
  observation_.update(execution);
  if (features_.observers) {
    real_.update(execution, 0, &observation_);
    races_.clear();
  } else {
    real_.update(execution, path_.kept());
    std::erase_if(races_, [&](const Judged& judged) {
      return judged.race.kind == Race::Kind::pending || judged.race.second >= path_.kept();
    });
  }
  pruned_ = pruned_ || execution.reached_known_state;
  const std::size_t seen = races_.size();
  for (const Race& race : real_.races()) races_.push_back({race, not_settled});
  skipped_.clear();
  for (std::size_t at = 0; at < races_.size(); ++at) {
    if (at < seen && !pruned_ && races_[at].settled_by < path_.kept()) {
      skipped_.push_back(at);
    } else {
      judge_again(races_[at]);
    }
  }
  if (!observation_.any_loose()) return;
  pruned_ = true;
  for (const std::size_t at : skipped_) judge_again(races_[at]);
  relax();
}

void ContextRaces::judge_again(Judged& judged) {
  settled_by_ = not_settled;
  handle(judged.race, real_, Round::real);
  judged.settled_by = settled_by_;
}

// The canonical order of two commuting events has more happens-before than the pruned one: take it
// away and look again. What commutes then is taken away too, until nothing more does.
void ContextRaces::relax() {
  bool more = true;
  while (more) {
    relaxed_.update(path_.execution(), 0, &observation_);
    round_.assign(relaxed_.races().begin(), relaxed_.races().end());
    more = false;
    for (const Race& race : round_) {
      handle(race, relaxed_, Round::relaxed);
      if (race.kind == Race::Kind::events && immediate(race, relaxed_) &&
          may_commute(vocabulary_, path_.execution(), race.first, race.second) &&
          in_canonical_order(race) && observation_.set_loose(race.first, race.second)) {
        more = true;
      }
    }
  }
}

// Whether the two stand in the order in which they are explored wherever they commute.
bool ContextRaces::in_canonical_order(const Race& race) {
  const Execution& execution = path_.execution();
  const auto name = [&](std::uint32_t event) -> CanonicalOrders::Name {
    return {execution.steps.process(event), execution.events[event].index};
  };
  return canonical_orders_.keep(name(race.first), name(race.second));
}

bool ContextRaces::immediate(const Race& race, const HappensBefore& order) const {
  for (std::uint32_t at = race.first + 1; at < race.second; ++at) {
    if (order.before(race.first, at) && order.before(at, race.second)) return false;
  }
  return true;
}

void ContextRaces::handle(const Race& race, const HappensBefore& order, Round round) {
  const Execution& execution = path_.execution();
  if (features_.observers && race.kind == Race::Kind::events &&
      observation_.only_blind_writes(execution.steps[race.first], execution.steps[race.second])) {
    handle_observed(race, order, round);
    return;
  }
  const bool wanted = needed(race, order, round);
  if (wanted) ask_for(race, round);
  settle_commuting(race, order, round, wanted);
}

// The same up to equivalence, with the last step and what it needs first: where it leads to a known
// state, that is found out before anything else is done. Source sets leave out the rest, which
// comes by itself.
void ContextRaces::put_last_first() {
  chosen_.clear();
  for (std::size_t at = sequence_.size(); at-- > 0;) {
    const Step step = sequence_[at];
    if (!order_.empty() && !chosen_.dependent(step)) continue;
    chosen_.add(step);
    order_.push_back(static_cast<std::uint32_t>(at));
  }
  std::reverse(order_.begin(), order_.end());
  if (features_.asks == Asks::for_an_initial) return;
  const auto needed = static_cast<std::ptrdiff_t>(order_.size());
  for (std::uint32_t at = 0; at < sequence_.size(); ++at) {
    if (!std::binary_search(order_.begin(), order_.begin() + needed, at)) order_.push_back(at);
  }
}

// The same up to equivalence, with joins, and what needs them, as late as can be: what is known of
// the steps before them is known whether or not somebody has joined already. Joins that nothing in
// the sequence needs are left out; they come by themselves.
void ContextRaces::put_joins_last() {
  late_.clear();
  chosen_.clear();
  std::size_t kept = 0;
  for (const std::uint32_t at : order_) {
    const Step step = sequence_[at];
    if (step.awaited != no_process || chosen_.dependent(step)) {
      chosen_.add(step);
      late_.push_back(at);
    } else {
      order_[kept++] = at;
    }
  }
  order_.resize(kept);
  while (kept > 0 && !late_.empty() && sequence_[late_.back()].awaited != no_process) {
    late_.pop_back();
  }
  order_.insert(order_.end(), late_.begin(), late_.end());
  MAZURKA_CHECK(order_.size() <= sequence_.size(), "a sequence is arranged, and nothing is added");
}

void ContextRaces::arrange(bool last_first) {
  order_.clear();
  if (last_first) {
    put_last_first();
  } else {
    for (std::uint32_t at = 0; at < sequence_.size(); ++at) order_.push_back(at);
  }
  put_joins_last();
  if (order_.size() == sequence_.size() && std::is_sorted(order_.begin(), order_.end())) return;
  MAZURKA_CHECK(!order_.empty(), "a sequence that is asked for has a step");
  arranged_.clear();
  for (const std::uint32_t at : order_) arranged_.push_back(sequence_[at]);
  std::swap(sequence_, arranged_);
}

// What a relaxed race asks for is the only trace of what the pruned order would have shown: nothing
// below the node need show it again. So all of it is asked for, by source sets too.
void ContextRaces::ask_for(const Race& race, Round round) {
  const bool whole = features_.asks == Asks::for_the_sequence || round == Round::relaxed;
  if (features_.context) arrange(race.kind != Race::Kind::alternative);
  if (whole) {
    pending_->add(race.first, sequence_);
  } else {
    pending_->add_an_initial(race.first, sequence_);
  }
}

void ContextRaces::handle_observed(const Race& race, const HappensBefore& order, Round round) {
  if (!build_observed(race, order)) return;
  const bool wanted = !covered(race.first);
  if (wanted) pending_->add(race.first, sequence_);
  settle_commuting(race, order, round, wanted);
}

void ContextRaces::settle_commuting(const Race& race, const HappensBefore& order, Round round,
                                    bool wanted) {
  if (!features_.context || round == Round::relaxed || race.kind != Race::Kind::events ||
      !immediate(race, order)) {
    return;
  }
  const Commutes commutes = commute(vocabulary_, path_.execution(), race.first, race.second);
  if (commutes == Commutes::no || !in_canonical_order(race)) return;
  observation_.set_loose(race.first, race.second);
  if (wanted && commutes != Commutes::never_met) avoid(race, order, commutes == Commutes::yes);
}

// Builds what the race asks for; false if that is explored or covered.
//
// The quick judgement of reversal.hpp rests on happens-before following dependence: what comes
// after e' and not after e is then independent of e'. In a loose order it need not be.
bool ContextRaces::needed(const Race& race, const HappensBefore& order, Round round) {
  if (features_.asks == Asks::for_an_initial && !features_.observers && round == Round::real) {
    settled_by_ = for_good;
    if (reversal_.begins_asleep(path_.execution(), race)) return false;
    reversal_.build_brief();
    sequence_.clear();
    for (std::size_t at = 0; at < reversal_.size(); ++at) sequence_.push_back(reversal_[at]);
    return true;
  }
  if (!features_.observers && round == Round::real) {
    const Reversal::Need need = reversal_.judge(path_.execution(), race);
    if (need == Reversal::Need::brief) settled_by_ = for_good;
    if (need == Reversal::Need::covered) {
      settled_by_ = reversal_.settled_by() > race.second ? reversal_.settled_by() : for_good;
    }
    if (need == Reversal::Need::covered || need == Reversal::Need::covered_for_now) return false;
    reversal_.build_whole();
    sequence_.clear();
    for (std::size_t at = 0; at < reversal_.size(); ++at) sequence_.push_back(reversal_[at]);
    return true;
  }
  build_plain(race, order);
  return !covered(race.first);
}

void ContextRaces::build_plain(const Race& race, const HappensBefore& order) {
  const Execution& execution = path_.execution();
  const bool pending = race.kind == Race::Kind::pending;
  Step added = (pending ? execution.pending[race.second] : execution.steps[race.second]).widened();
  added.released = {};
  sequence_.clear();
  if (race.kind == Race::Kind::alternative) {
    added.decision.choice = race.choice;
    sequence_.push_back(added);
  }
  bool moved_before = false;
  order.left_out_with(execution, race, left_out_);
  events_.clear();
  order.not_after(race.first, execution.size(), events_);
  for (const std::uint32_t at : events_) {
    if (std::any_of(left_out_.begin(), left_out_.end(),
                    [&](std::uint32_t one) { return order.before(one, at); })) {
      continue;
    }
    // A guarded step races with an event that it commutes with too; what needs it must stay behind.
    if (race.kind == Race::Kind::events && order.before(race.second, at)) continue;
    sequence_.push_back(execution.steps[at]);
    if (execution.steps.process(at) == added.process()) moved_before = true;
  }
  if (race.kind == Race::Kind::alternative) return;
  added.decision.choice = 0;
  if (!moved_before) {
    added.decision.choice = path_.sleepers().free_choice(added.process(), race.first).value_or(0);
  }
  sequence_.push_back(added);
}

// The events that do not happen after e, then e', e, and on to one that observes e instead of e'.
bool ContextRaces::build_observed(const Race& race, const HappensBefore& order) {
  const Execution& execution = path_.execution();
  observation_.observers(execution, race.first, race.second, observers_);
  std::erase_if(observers_, [&](std::uint32_t one) {
    return std::any_of(observers_.begin(), observers_.end(), [&](std::uint32_t other) {
      return other < one && order.before(other, one);
    });
  });
  if (observers_.empty()) return false;
  const auto after_an_observer = [&](std::uint32_t event) {
    return std::any_of(observers_.begin(), observers_.end(),
                       [&](std::uint32_t observer) { return order.before(observer, event); });
  };
  sequence_.clear();
  const auto size = static_cast<std::uint32_t>(execution.size());
  for (std::uint32_t at = race.first + 1; at < size; ++at) {
    if (at != race.second && !order.before(race.first, at)) {
      sequence_.push_back(execution.steps[at]);
    }
  }
  sequence_.push_back(execution.steps[race.second]);
  sequence_.push_back(execution.steps[race.first]);
  for (std::uint32_t at = race.first + 1; at < size; ++at) {
    if (at != race.second && order.before(race.first, at) && !after_an_observer(at)) {
      sequence_.push_back(execution.steps[at]);
    }
  }
  sequence_.push_back(execution.steps[observers_.back()].widened());  // it reads something else now
  return true;
}

// Whether a step that was explored, at the node or above, could come first in all that follows.
bool ContextRaces::covered(std::size_t node) {
  const Execution& execution = path_.execution();
  const SleepStack& sleepers = path_.sleepers();
  for (std::size_t at = 0; at < sleepers.size() && sleepers.born(at) <= node; ++at) {
    const Step sleeper = sleepers[at];
    const std::size_t born = sleepers.born(at);
    std::size_t where = 0;
    const Continued all{execution.steps, born, node, sequence_};
    const Initial initial = initials_.judge(sleeper, all, where);
    if (initial == Initial::strict) return true;
    if (initial == Initial::weak && features_.asks == Asks::for_the_sequence &&
        (sleeper.choices == 1 || !sleepers.free_choice(sleeper.process(), born, born))) {
      return true;
    }
  }
  return false;
}

void ContextRaces::avoid(const Race& race, const HappensBefore& order, bool proven) {
  const Execution& execution = path_.execution();
  sequence_.clear();
  for (std::uint32_t at = race.first + 1; at < race.second; ++at) {
    if (order.before(at, race.second)) sequence_.push_back(execution.steps[at]);
  }
  MAZURKA_CHECK(race.kind == Race::Kind::events && race.first < race.second &&
                    race.second < execution.changes.size(),
                "two events commute whose changes are known");
  sequence_.push_back(execution.steps[race.second]);
  sequence_.push_back(execution.steps[race.first]);
  nodes_.avoid(race.first, sequence_,
               execution.changes[race.first] ^ execution.changes[race.second], proven);
}

}  // namespace mazurka
