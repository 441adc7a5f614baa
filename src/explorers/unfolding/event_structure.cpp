#include "explorers/unfolding/event_structure.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace mazurka::unfolding {

Step EventStructure::step(EventId event) const {
  const Event& one = events_[event];
  return {one.decision, 1, one.awaited, one.exits, one.accesses, {}, {}};
}

bool EventStructure::first_in_conflict(EventId event, EventId with) const {
  const std::vector<EventId>& causes = events_[event].causes;
  return std::none_of(causes.begin(), causes.end(),
                      [&](EventId cause) { return events_[with].conflicts.contains(cause); });
}

std::uint64_t EventStructure::hash(Decision decision, const std::vector<EventId>& causes) const {
  RunningHash sum;
  sum.add((index(decision.process) << 16U) + decision.choice);
  for (const EventId cause : causes) sum.add(cause);
  return sum.value();
}

// Among those of its process right after the same event, unless there are many.
EventId EventStructure::find(std::uint64_t hash, Decision decision,
                             std::span<const EventId> siblings) const {
  const auto is_it = [&](EventId event) {
    return events_[event].decision == decision && events_[event].causes == causes_;
  };
  if (siblings.size() <= few) {
    const auto found = std::find_if(siblings.begin(), siblings.end(), is_it);
    return found == siblings.end() ? no_event_id : *found;
  }
  const auto [begin, end] = known_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    if (is_it(at->second)) return at->second;
  }
  return no_event_id;
}

// Only the immediate ones: those that are in no other's history.
void EventStructure::leave_immediate_causes() {
  std::sort(causes_.begin(), causes_.end());
  causes_.erase(std::unique(causes_.begin(), causes_.end()), causes_.end());
  if (causes_.size() > few) {  // else each is compared with each
    scratch_.clear();
    for (const EventId cause : causes_) scratch_ |= events_[cause].history;
    std::erase_if(causes_, [&](EventId cause) { return scratch_.contains(cause); });
    return;
  }
  const auto covered = [&](EventId cause) {
    return std::any_of(causes_.begin(), causes_.end(),
                       [&](EventId other) { return events_[other].history.contains(cause); });
  };
  std::size_t left = 0;  // what was left out is covered by one that is not
  for (std::size_t at = 0; at < causes_.size(); ++at) {
    if (!covered(causes_[at])) std::swap(causes_[left++], causes_[at]);
  }
  causes_.resize(left);
}

EventId EventStructure::event(const Step& step, EventId previous, std::span<const EventId> causes) {
  causes_.assign(causes.begin(), causes.end());
  if (previous != no_event_id) causes_.push_back(previous);
  leave_immediate_causes();
  const std::uint64_t key = hash(step.decision, causes_);
  const EventId known = find(key, step.decision, successors(step.process(), previous));
  return known != no_event_id ? known : make(step, previous, key);
}

std::vector<EventId>& EventStructure::successors(ProcessId process, EventId previous) {
  if (previous != no_event_id) return next_events_[previous];
  if (first_events_.size() <= index(process)) first_events_.resize(index(process) + 1);
  return first_events_[index(process)];
}

EventId EventStructure::next_number() {
  if (free_.empty()) {
    free_.push_back(static_cast<EventId>(events_.size()));
    events_.emplace_back();
    next_events_.emplace_back();
  }
  MAZURKA_CHECK(next_events_.size() == events_.size(),
                "each event has a list of those right after");
  const EventId next = free_.back();
  free_.pop_back();
  return next;
}

EventId EventStructure::make(const Step& step, EventId previous, std::uint64_t hash) {
  const EventId made = next_number();
  Event& one = events_[made];
  one.decision = step.decision;
  one.awaited = step.awaited;
  one.exits = step.exits;
  one.previous = previous;
  one.age = ++made_;
  one.accesses.assign(step.accesses.begin(), step.accesses.end());
  one.causes = causes_;
  one.effects.clear();
  one.history.clear();
  one.conflicts.clear();
  next_events_[made].clear();
  for (const EventId cause : one.causes) {
    MAZURKA_CHECK(events_[cause].age < one.age, "what is in an event's history is older");
    one.history |= events_[cause].history;
    one.conflicts |= events_[cause].conflicts;
  }
  for (const EventId cause : one.causes) one.history.insert(cause);
  find_conflicts(made);
  make_known(made, hash);
  return made;
}

void EventStructure::make_known(EventId made, std::uint64_t hash) {
  const Event& one = events_[made];
  MAZURKA_CHECK(!one.conflicts.contains(made) && !one.history.contains(made),
                "an event is neither its own cause nor in conflict with itself");
  one.conflicts.for_each([&](EventId other) { events_[other].conflicts.insert(made); });
  for (const EventId cause : one.causes) events_[cause].effects.push_back(made);
  successors(one.decision.process, one.previous).push_back(made);
  for (const Access& access : one.accesses) {
    if (touches_.size() <= index(access.object)) touches_.resize(index(access.object) + 1);
    touches_[index(access.object)][access.mode].insert(made);
  }
  if (one.exits) exits_.push_back(made);
  known_.emplace(hash, made);
  live_.push_back(made);
  largest_ = std::max(largest_, live_.size());
}

void EventStructure::add_conflict(EventId made, EventId with) {
  EventSet& conflicts = events_[made].conflicts;
  if (conflicts.contains(with) || events_[made].history.contains(with)) return;
  conflicts.insert(with);
  later_.assign(1, with);
  while (!later_.empty()) {
    const EventId last = later_.back();
    later_.pop_back();
    for (const EventId effect : events_[last].effects) {
      if (conflicts.contains(effect)) continue;
      conflicts.insert(effect);
      later_.push_back(effect);
    }
  }
}

// What is inherited from the causes is there already. An event of the same process that is neither
// before nor after branches off the same event, or is inherited.
void EventStructure::find_conflicts(EventId made) {
  const Event& one = events_[made];
  for (const EventId sibling : successors(one.decision.process, one.previous)) {
    add_conflict(made, sibling);
  }
  if (one.exits) {
    for (const EventId other : exits_) add_conflict(made, other);
  }
  for (const Access& access : one.accesses) find_conflicts(made, access);
}

void EventStructure::find_conflicts(EventId made, const Access& access) {
  if (touches_.size() <= index(access.object)) return;
  const Touches& touches = touches_[index(access.object)];
  for_each_bit(Word{vocabulary_.related_modes(access)}, [&](std::size_t mode) {
    const Event& one = events_[made];
    touches[mode].for_each_without(one.history, one.conflicts,
                                   [&](EventId other) { add_conflict(made, other); });
  });
}

void EventStructure::keep(const EventSet& wanted) {
  EventSet kept = wanted;
  later_.clear();
  wanted.for_each([&](EventId event) { later_.push_back(event); });
  while (!later_.empty()) {
    const EventId last = later_.back();
    later_.pop_back();
    for (const EventId cause : events_[last].causes) {
      if (kept.contains(cause)) continue;
      kept.insert(cause);
      later_.push_back(cause);
    }
  }

  const auto dead = [&](EventId event) { return !kept.contains(event); };
  if (std::none_of(live_.begin(), live_.end(), dead)) return;
  for (auto at = known_.begin(); at != known_.end();) {
    at = dead(at->second) ? known_.erase(at) : std::next(at);
  }
  for (Touches& touches : touches_) {
    for (SharedSet& events : touches) events &= kept;
  }
  for (std::vector<EventId>& events : first_events_) std::erase_if(events, dead);
  std::erase_if(exits_, dead);
  for (const EventId event : live_) {
    MAZURKA_CHECK(dead(event) || std::none_of(events_[event].causes.begin(),
                                              events_[event].causes.end(), dead),
                  "what is kept keeps its history");
    if (dead(event)) {
      free_.push_back(event);
      continue;
    }
    events_[event].conflicts &= kept;
    std::erase_if(events_[event].effects, dead);
    std::erase_if(next_events_[event], dead);
  }
  std::erase_if(live_, dead);
}

}  // namespace mazurka::unfolding
