#include "explorers/unfolding/event_structure.hpp"

#include <algorithm>

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

EventId EventStructure::find(std::uint64_t hash, Decision decision) const {
  const auto [begin, end] = known_.equal_range(hash);
  for (auto at = begin; at != end; ++at) {
    const Event& one = events_[at->second];
    if (one.decision == decision && one.causes == causes_) return at->second;
  }
  return no_event_id;
}

EventId EventStructure::event(const Step& step, EventId previous, std::span<const EventId> causes) {
  causes_.clear();
  if (previous != no_event_id) causes_.push_back(previous);
  for (const EventId cause : causes) {
    if (std::find(causes_.begin(), causes_.end(), cause) == causes_.end()) causes_.push_back(cause);
  }
  // Only the immediate ones: those that are in no other's history.
  std::vector<EventId>& all = causes_;
  EventSet covered;
  for (const EventId cause : all) covered |= events_[cause].history;
  std::erase_if(all, [&](EventId cause) { return covered.contains(cause); });
  std::sort(all.begin(), all.end());

  const std::uint64_t key = hash(step.decision, causes_);
  const EventId known = find(key, step.decision);
  return known != no_event_id ? known : make(step, previous, key);
}

std::vector<EventId>& EventStructure::successors(ProcessId process, EventId previous) {
  if (previous != no_event_id) return next_events_[previous];
  if (first_events_.size() <= index(process)) first_events_.resize(index(process) + 1);
  return first_events_[index(process)];
}

EventId EventStructure::make(const Step& step, EventId previous, std::uint64_t hash) {
  if (free_.empty()) {
    free_.push_back(static_cast<EventId>(events_.size()));
    events_.emplace_back();
    next_events_.emplace_back();
  }
  const EventId made = free_.back();
  free_.pop_back();
  Event& one = events_[made];
  one.decision = step.decision;
  one.awaited = step.awaited;
  one.exits = step.exits;
  one.previous = previous;
  one.age = ++made_;
  one.accesses.assign(step.accesses.begin(), step.accesses.end());
  one.causes = causes_;
  one.history.clear();
  one.descendants.clear();
  one.conflicts.clear();
  next_events_[made].clear();
  for (const EventId cause : one.causes) {
    one.history |= events_[cause].history;
    one.history.insert(cause);
    one.conflicts |= events_[cause].conflicts;
  }
  find_conflicts(made);
  one.conflicts.for_each([&](EventId other) { events_[other].conflicts.insert(made); });
  one.history.for_each([&](EventId earlier) { events_[earlier].descendants.insert(made); });

  successors(step.process(), previous).push_back(made);
  for (const Access& access : one.accesses) {
    if (touches_.size() <= index(access.object)) touches_.resize(index(access.object) + 1);
    touches_[index(access.object)].push_back({made, access.mode});
  }
  if (step.exits) exits_.push_back(made);
  known_.emplace(hash, made);
  live_.push_back(made);
  largest_ = std::max(largest_, live_.size());
  return made;
}

void EventStructure::add_conflict(EventId made, EventId with) {
  EventSet& conflicts = events_[made].conflicts;
  if (conflicts.contains(with) || events_[made].history.contains(with)) return;
  conflicts.insert(with);
  conflicts |= events_[with].descendants;
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
  for (const Access& access : one.accesses) {
    if (touches_.size() <= index(access.object)) continue;
    for (const Touch& touch : touches_[index(access.object)]) {
      if (events_[touch.event].decision.process != one.decision.process &&
          vocabulary_.related(access.kind, touch.mode, access.mode)) {
        add_conflict(made, touch.event);
      }
    }
  }
}

void EventStructure::keep(const EventSet& wanted) {
  EventSet kept = wanted;
  wanted.for_each([&](EventId event) { kept |= events_[event].history; });

  const auto dead = [&](EventId event) { return !kept.contains(event); };
  for (auto at = known_.begin(); at != known_.end();) {
    at = dead(at->second) ? known_.erase(at) : std::next(at);
  }
  for (std::vector<Touch>& touches : touches_) {
    std::erase_if(touches, [&](const Touch& touch) { return dead(touch.event); });
  }
  for (std::vector<EventId>& events : first_events_) std::erase_if(events, dead);
  std::erase_if(exits_, dead);
  for (const EventId event : live_) {
    if (dead(event)) {
      free_.push_back(event);
      continue;
    }
    events_[event].conflicts &= kept;
    events_[event].descendants &= kept;
    std::erase_if(next_events_[event], dead);
  }
  std::erase_if(live_, dead);
}

}  // namespace mazurka::unfolding
