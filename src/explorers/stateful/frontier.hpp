// Which of the open nodes is expanded next.
//
// What is taken from a node depends on the node alone, so any order gives a complete graph
// (docs/stateful.md); how large it is may depend on it, because a node that comes early makes
// needless what it subsumes. The latest node first is a search in depth. The oldest first is a
// search in breadth: counter-examples are as short as they can be in the graph. By priority, the
// node with the fewest actions asleep comes first, since it subsumes most, and of equal ones the
// latest.
//
// Source. Herbreteau, Larroze-Jardine, Point and Walukiewicz say of breadth first and "some
// priority queue" that results were the same or worse, and nothing of which priority.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/check.hpp"
#include "explorers/stateful/graph.hpp"

namespace mazurka::stateful {

enum class Exploration : std::uint8_t { depth_first, breadth_first, priority };

class Frontier {
 public:
  explicit Frontier(Exploration order) : order_(order), piles_(1) {}

  [[nodiscard]] bool empty() const { return size_ == 0; }

  void put(NodeId node, std::size_t asleep) {
    const std::size_t pile = order_ == Exploration::priority ? asleep : 0;
    if (piles_.size() <= pile) piles_.resize(pile + 1);
    if (pile < first_) first_ = pile;
    piles_[pile].push_back(node);
    ++size_;
  }

  /// Requires: it is not empty.
  [[nodiscard]] NodeId take() {
    MAZURKA_CHECK(size_ > 0, "a node is taken that is open");
    --size_;
    if (order_ == Exploration::breadth_first) return take_oldest();
    while (piles_[first_].empty()) ++first_;
    const NodeId latest = piles_[first_].back();
    piles_[first_].pop_back();
    return latest;
  }

 private:
  NodeId take_oldest() {
    std::vector<NodeId>& pile = piles_.front();
    const NodeId oldest = pile[taken_++];
    if (taken_ * 2 > pile.size()) {
      pile.erase(pile.begin(), pile.begin() + static_cast<std::ptrdiff_t>(taken_));
      taken_ = 0;
    }
    return oldest;
  }

  Exploration order_;
  std::vector<std::vector<NodeId>> piles_;  // by priority; all in one where there is none
  std::size_t first_ = 0;                   // no pile before it has anything
  std::size_t taken_ = 0;                   // from the front of the one pile, in breadth
  std::size_t size_ = 0;
};

}  // namespace mazurka::stateful
