// Every known event, as seen from the current path: where it happens on it, and from where on
// nothing can contain it any more.
//
// Both are one number per event, so that questions about the configurations that the path passes
// through need no set for each of them.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "core/check.hpp"
#include "explorers/unfolding/event_structure.hpp"

namespace mazurka::unfolding {

class AlongPath {
 public:
  explicit AlongPath(const EventStructure& structure) : structure_(structure) {}

  void follow(std::span<const EventId> path) {
    position_.assign(structure_.numbers(), never);
    excluded_from_.assign(structure_.numbers(), never);
    seen_.clear();
    for (std::size_t at = 0; at < path.size(); ++at) {
      position_[path[at]] = at;
      fresh_ = structure_.conflicts(path[at]);
      fresh_ -= seen_;
      fresh_.for_each([&](EventId event) { excluded_from_[event] = at + 1; });
      seen_ |= fresh_;
    }
  }

  /// Whether the event is one of the first `length` of the path.
  [[nodiscard]] bool happened(EventId event, std::size_t length) const {
    MAZURKA_CHECK(event < position_.size(), "an event is asked for that was known to follow()");
    return position_[event] < length;
  }
  /// Whether it is in conflict with one of the first `length` events.
  [[nodiscard]] bool excluded(EventId event, std::size_t length) const {
    return excluded_from_[event] <= length;
  }

 private:
  static constexpr std::size_t never = std::numeric_limits<std::size_t>::max();

  const EventStructure& structure_;
  std::vector<std::size_t> position_;
  std::vector<std::size_t> excluded_from_;
  EventSet seen_;
  EventSet fresh_;
};

}  // namespace mazurka::unfolding
