#include "analysis/reversal.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace mazurka {

void Reversal::start(const Execution& execution, const Race& race) {
  MAZURKA_CHECK(race.first < execution.size(), "the first step of a race is an event");
  MAZURKA_CHECK(race.kind != Race::Kind::events ||
                    (race.first < race.second && race.second < execution.size()),
                "the second event of a race comes after the first");
  execution_ = &execution;
  race_ = race;
  switch (race.kind) {
    case Race::Kind::events:
      added_ = execution.steps[race.second].widened();
      end_of_brief_ = race.second;
      break;
    case Race::Kind::pending:
      added_ = execution.pending[race.second];
      end_of_brief_ = announced(race);
      break;
    case Race::Kind::alternative:
      added_ = execution.steps[race.first].widened();
      end_of_brief_ = race.first + std::size_t{1};
      break;
  }
  happens_before_.left_out_with(execution, race, left_out_);
  settled_by_ = race.second;
  added_.decision.choice = race.choice;
  // Whom the step would release in its new place is not known. It does not matter: such a process
  // cannot move before, so nothing in v and nothing asleep belongs to it.
  added_.released = {};
}

// Of a step whose guard holds only once others have taken back what they did, these are needed too.
std::size_t Reversal::announced(const Race& race) const {
  if (std::any_of(added_.accesses.begin(), added_.accesses.end(), [&](const Access& access) {
        return vocabulary_.is_moved(access.kind) && vocabulary_.guarded(access);
      })) {
    return execution_->size();
  }
  const std::uint32_t previous = happens_before_.last_event(added_.process());
  std::size_t after = race.first + std::size_t{1};
  if (previous != no_event) after = std::max(after, previous + std::size_t{1});
  execution_->for_each_pending_cause(
      race.second, [&](std::uint32_t cause) { after = std::max(after, cause + std::size_t{1}); });
  return after;
}

// It is e, or happens after it, or after another event that is left out with it.
bool Reversal::comes_later(std::size_t event) const {
  return happens_before_.before(race_.first, event) ||
         std::any_of(left_out_.begin(), left_out_.end(),
                     [&](std::uint32_t one) { return happens_before_.before(one, event); });
}

Reversal::Meets Reversal::meets_in_events(const Step& sleeper, std::size_t from, std::size_t end) {
  for (std::size_t at = from; at < end; ++at) {
    if (comes_later(at)) continue;
    const Step event = execution_->steps[at];
    if (!dependent(vocabulary_, event, sleeper)) continue;
    if (event.decision != sleeper.decision) return Meets::dependent;
    settled_by_ = std::max(settled_by_, static_cast<std::uint32_t>(at));
    return Meets::itself;
  }
  return Meets::nothing;
}

// The sleeper is independent of all events from the node to the one that woke it, so only what
// comes from there on needs a look.
Reversal::Meets Reversal::meets_in_brief(const Step& sleeper, std::uint32_t woken) {
  if (alternative()) {
    if (sleeper.decision == added_.decision) return Meets::itself;
    const bool conflict = sleeper.process() == added_.process() || woken == race_.first ||
                          dependent(vocabulary_, added_, sleeper);
    return conflict ? Meets::dependent : Meets::nothing;
  }
  const std::size_t from = std::max<std::size_t>(woken, race_.first + std::size_t{1});
  const Meets met = meets_in_events(sleeper, from, end_of_brief_);
  if (met != Meets::nothing) return met;
  if (sleeper.process() == added_.process()) {
    const auto choice = sleepers_.free_choice(sleeper.process(), race_.first);
    if (!choice) return Meets::itself;
    added_.decision.choice = *choice;
    return Meets::dependent;
  }
  return dependent(vocabulary_, added_, sleeper) ? Meets::dependent : Meets::nothing;
}

Reversal::Need Reversal::judge(const Execution& execution, const Race& race) {
  start(execution, race);
  Need need = Need::brief;
  for (std::size_t at = 0; at < sleepers_.size() && sleepers_.born(at) <= race.first; ++at) {
    if (!sleepers_.asleep(at, race.first)) continue;
    const Step sleeper = sleepers_[at];
    const std::uint32_t woken = sleepers_.woken(at);
    Meets met = meets_in_brief(sleeper, woken);
    if (met == Meets::itself) return Need::covered;
    if (met == Meets::dependent) continue;
    met = meets_in_events(sleeper, std::max<std::size_t>(woken, end_of_brief_), execution.size());
    if (met == Meets::itself) return Need::covered;
    if (met == Meets::dependent) {
      if (need == Need::brief) need = Need::whole;
    } else if (sleeper.choices == 1 || !sleepers_.free_choice(sleeper.process(), race.first)) {
      need = Need::covered_for_now;
    }
  }
  return need;
}

bool Reversal::begins_asleep(const Execution& execution, const Race& race) {
  start(execution, race);
  for (std::size_t at = 0; at < sleepers_.size() && sleepers_.born(at) <= race.first; ++at) {
    if (sleepers_.asleep(at, race.first) &&
        meets_in_brief(sleepers_[at], sleepers_.woken(at)) == Meets::itself) {
      return true;
    }
  }
  return false;
}

void Reversal::build(std::size_t end) {
  MAZURKA_CHECK(execution_ != nullptr && race_.first < end,
                "a race is judged before it is reversed");
  events_.clear();
  happens_before_.not_after(race_.first, end, events_);
  if (!left_out_.empty()) std::erase_if(events_, [&](std::uint32_t at) { return comes_later(at); });
  added_at_ = alternative() ? 0 : events_.size();
}

bool Reversal::initial(std::size_t at) const {
  MAZURKA_CHECK(at < size(), "only a step of the sequence can be an initial");
  const Step step = (*this)[at];
  for (std::size_t earlier = 0; earlier < at; ++earlier) {
    if (dependent(vocabulary_, (*this)[earlier], step)) return false;
  }
  return true;
}

void ask_for_an_initial(BacktrackSets& backtrack, const Reversal& reversal) {
  for (const Decision open : backtrack.decisions(reversal.node())) {
    for (std::size_t at = 0; at < reversal.size(); ++at) {
      if (reversal.decision(at).process != open.process) continue;
      if (reversal.decision(at) == open && reversal.initial(at)) return;
      break;
    }
  }
  backtrack.add(reversal.node(), reversal.decision(0));
}

}  // namespace mazurka
