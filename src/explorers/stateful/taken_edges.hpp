// Edges of the explored graph as threads keep them, until all are put together.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "explorers/stateful/graph.hpp"
#include "explorers/stateful/sharding.hpp"

namespace mazurka::stateful {

struct TakenEdge {
  NodeId from = no_node;       // numbers of a Sharding
  std::uint32_t position = 0;  // among those of the same node
  ActionId action = 0;
  NodeId target = no_node;
};

/// `sizes`: how many nodes each shard has; `make`: the node that is n-th in a shard, without edges.
[[nodiscard]] Graph put_together(
    const Sharding& sharding, NodeId initial, const std::vector<std::size_t>& sizes,
    const std::function<Graph::Node(std::size_t shard, std::size_t at)>& make,
    const std::vector<std::vector<TakenEdge>>& edges);

}  // namespace mazurka::stateful
