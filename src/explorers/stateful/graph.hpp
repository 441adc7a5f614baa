// The explored graph, kept when something is to be done with it afterwards.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/network.hpp"
#include "explorers/stateful/big_count.hpp"
#include "explorers/stateful/bits.hpp"
#include "explorers/stateful/system.hpp"

namespace mazurka::stateful {

using NodeId = std::uint32_t;
inline constexpr NodeId no_node = 0xffffffffU;

struct Graph {
  struct Edge {
    ActionId action = 0;
    NodeId target = no_node;  // no_node: considered, and skipped by a first-set test
  };
  struct Node {
    std::vector<Word> state;       // packed
    std::vector<ActionId> asleep;  // in order
    std::vector<Edge> edges;       // in the order in which they were considered
  };
  std::vector<Node> nodes;  // the first is the initial one
};

struct PathCounts {
  BigCount maximal;    // paths that cannot be prolonged in the graph
  BigCount to_an_end;  // those among them that end where nothing is enabled: full runs
};
[[nodiscard]] PathCounts count_paths(const System& system, const Graph& graph);

/// The graph in the DOT language, with the network's names.
[[nodiscard]] std::string to_dot(const System& system, const Network& network, const Graph& graph);

}  // namespace mazurka::stateful
