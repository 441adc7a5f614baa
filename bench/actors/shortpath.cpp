// Shortest paths in a graph, after Chandy and Misra: a node that hears of a shorter way tells its
// neighbours. 126 traces for the first graph, 296 for the second (-DGRAPH=5).
// Paper (TransDPOR): five actors each; edges 0->1,2,3, 1<->3, 2<->3 of weight 10, started at 0; and
// 0->1,2,4, 1->0,3,4, 2->0, 3->1, 4->0,1, started at 4.
#include <mazurka/actors.hpp>
#include <vector>

#ifndef GRAPH
#define GRAPH 4
#endif

struct Node {
  std::vector<mazurka::Ref<Node>> neighbours;
  int distance = 1'000'000;

  void receive(mazurka::Context& context, int length) {
    if (length >= distance) return;
    distance = length;
    for (const auto& neighbour : neighbours) context.send<&Node::receive>(neighbour, length + 10);
  }
};

#if GRAPH == 4
const std::vector<std::vector<std::size_t>> edges{{1, 2, 3}, {3}, {3}, {1, 2}, {}};
constexpr std::size_t start = 0;
#else
const std::vector<std::vector<std::size_t>> edges{{1, 2, 4}, {0, 3, 4}, {0}, {1}, {0, 1}};
constexpr std::size_t start = 4;
#endif

void set_up(mazurka::Setup& system) {
  std::vector<mazurka::Ref<Node>> nodes;
  for (std::size_t at = 0; at < edges.size(); ++at) nodes.push_back(system.spawn<Node>());
  for (std::size_t at = 0; at < edges.size(); ++at) {
    for (const std::size_t to : edges[at]) system.state(nodes[at]).neighbours.push_back(nodes[to]);
  }
  system.send<&Node::receive>(nodes[start], 0);
}

int main() { return mazurka::run(set_up); }
