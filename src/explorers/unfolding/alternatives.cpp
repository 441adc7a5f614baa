#include "explorers/unfolding/alternatives.hpp"

#include <algorithm>

namespace mazurka::unfolding {

std::vector<EventId> Alternatives::candidates(EventId done, const EventSet& excluded) const {
  EventSet possible = structure_.conflicts(done);
  possible -= excluded;
  possible -= done_;
  std::vector<EventId> found;
  possible.for_each([&](EventId event) {
    if (structure_.first_in_conflict(event, done) && !structure_.history(event).meets(done_)) {
      found.push_back(event);
    }
  });
  std::sort(found.begin(), found.end(), [&](EventId one, EventId other) {
    return structure_.age(one) < structure_.age(other);
  });
  return found;
}

std::optional<std::vector<EventId>> Alternatives::find(const EventSet& configuration,
                                                       const EventSet& excluded,
                                                       std::span<const EventId> done) {
  needs_.clear();
  done_.clear();
  for (const EventId event : done) done_.insert(event);
  for (std::size_t at = done.size(); at-- > 0;) {
    if (excluded.contains(done[at])) continue;  // C itself is in conflict with it
    needs_.push_back({done[at], candidates(done[at], excluded)});
    if (needs_.back().candidates.empty()) return std::nullopt;
    if (partial_ != 0 && needs_.size() == partial_) break;
  }
  if (!search({}, excluded)) return std::nullopt;

  found_ -= configuration;
  std::vector<EventId> sequence;
  found_.for_each([&](EventId event) { sequence.push_back(event); });
  std::sort(sequence.begin(), sequence.end(), [&](EventId one, EventId other) {
    return structure_.age(one) < structure_.age(other);
  });
  return sequence;
}

bool Alternatives::search(const EventSet& chosen, const EventSet& excluded) {
  const Need* hardest = nullptr;
  std::size_t fewest = 0;
  for (const Need& need : needs_) {
    if (structure_.conflicts(need.done).meets(chosen)) continue;
    const auto left = static_cast<std::size_t>(
        std::count_if(need.candidates.begin(), need.candidates.end(),
                      [&](EventId event) { return !excluded.contains(event); }));
    if (left == 0) return false;
    if (hardest == nullptr || left < fewest) {
      hardest = &need;
      fewest = left;
    }
  }
  if (hardest == nullptr) {
    found_ = chosen;
    return true;
  }
  for (const EventId event : hardest->candidates) {
    if (excluded.contains(event)) continue;
    EventSet more = chosen;
    more |= structure_.history(event);
    more.insert(event);
    EventSet out = excluded;
    out |= structure_.conflicts(event);
    if (search(more, out)) return true;
  }
  return false;
}

}  // namespace mazurka::unfolding
