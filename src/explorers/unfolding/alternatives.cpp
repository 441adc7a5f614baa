#include "explorers/unfolding/alternatives.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace mazurka::unfolding {

std::vector<EventId> Alternatives::candidates(EventId done,
                                              std::span<const EventId> all_done) const {
  const auto done_with = [&](EventId event) {
    return std::any_of(all_done.begin(), all_done.end(), [&](EventId one) {
      return one == event || structure_.history(event).contains(one);
    });
  };
  std::vector<EventId> found;
  structure_.conflicts(done).for_each([&](EventId event) {
    if (!path_.excluded(event, node_) && structure_.first_in_conflict(event, done) &&
        !done_with(event)) {
      found.push_back(event);
    }
  });
  std::sort(found.begin(), found.end(), [&](EventId one, EventId other) {
    return structure_.age(one) < structure_.age(other);
  });
  return found;
}

std::optional<std::vector<EventId>> Alternatives::find(std::size_t node,
                                                       std::span<const EventId> done) {
  node_ = node;
  needs_.clear();
  for (std::size_t at = done.size(); at-- > 0;) {
    if (path_.excluded(done[at], node)) continue;  // C itself is in conflict with it
    needs_.push_back({done[at], candidates(done[at], done)});
    if (needs_.back().candidates.empty()) return std::nullopt;
    if (partial_ != 0 && needs_.size() == partial_) break;
  }
  MAZURKA_CHECK(!done.empty(), "an alternative is one to something that is done");
  if (!search({}, {})) return std::nullopt;
  return found_after_node();
}

std::vector<EventId> Alternatives::found_after_node() const {
  std::vector<EventId> sequence;
  found_.for_each([&](EventId event) {
    if (!path_.happened(event, node_)) sequence.push_back(event);
  });
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
    MAZURKA_CHECK(!chosen.meets(excluded), "an alternative is free of conflicts");
    found_ = chosen;
    return true;
  }
  for (const EventId event : hardest->candidates) {
    if (excluded.contains(event)) continue;
    EventSet more = chosen;
    structure_.history(event).add_to(more);
    more.insert(event);
    EventSet out = excluded;
    out |= structure_.conflicts(event);
    if (search(more, out)) return true;
  }
  return false;
}

}  // namespace mazurka::unfolding
