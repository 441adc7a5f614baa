#include "explorers/stateful/taken_edges.hpp"

#include <algorithm>
#include <tuple>

#include "core/check.hpp"

namespace mazurka::stateful {

// The initial node is the first one of its shard; that shard comes first.
Graph put_together(const Sharding& sharding, NodeId initial, const std::vector<std::size_t>& sizes,
                   const std::function<Graph::Node(std::size_t shard, std::size_t at)>& make,
                   const std::vector<std::vector<TakenEdge>>& edges) {
  Graph graph;
  std::vector<std::size_t> begins(sizes.size());
  for (std::size_t step = 0; step < sizes.size(); ++step) {
    const std::size_t shard = (sharding.shard(initial) + step) % sizes.size();
    begins[shard] = graph.nodes.size();
    for (std::size_t at = 0; at < sizes[shard]; ++at) graph.nodes.push_back(make(shard, at));
  }
  MAZURKA_CHECK(sharding.shard(initial) < sizes.size() && edges.size() > 0,
                "the initial node is in a shard, and each thread has its edges");
  const auto dense = [&](NodeId node) {
    return node == no_node ? no_node
                           : static_cast<NodeId>(begins[sharding.shard(node)] + sharding.at(node));
  };
  std::vector<TakenEdge> all;
  for (const std::vector<TakenEdge>& some : edges) all.insert(all.end(), some.begin(), some.end());
  std::sort(all.begin(), all.end(), [](const TakenEdge& one, const TakenEdge& other) {
    return std::tie(one.from, one.position) < std::tie(other.from, other.position);
  });
  for (const TakenEdge& edge : all) {
    MAZURKA_CHECK(edge.from != no_node && dense(edge.from) < graph.nodes.size(),
                  "an edge begins at a node of the graph");
    graph.nodes[dense(edge.from)].edges.push_back({edge.action, dense(edge.target)});
  }
  return graph;
}

}  // namespace mazurka::stateful
