// The nodes that several threads have visited, each once.
//
// A node is not needed where another one of its state has less asleep. Looking for such a one and
// entering the new one is one step under the lock of the shard that the state is in, so of two
// threads that come to the same node one enters it and the other is told of it. A node never
// changes once it is there: another one of the same state with less asleep is another node.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "explorers/stateful/graph.hpp"
#include "explorers/stateful/sharding.hpp"
#include "explorers/stateful/sleep_sets.hpp"
#include "explorers/stateful/state_table.hpp"
#include "explorers/stateful/system.hpp"
#include "explorers/stateful/taken_edges.hpp"

namespace mazurka::stateful {

class SharedNodes {
 public:
  struct Entered {
    NodeId node = no_node;
    const Word* state = nullptr;  // stays where it is
    bool is_new = false;          // the node
    bool is_new_state = false;
  };

  SharedNodes(const System& system, unsigned threads);

  /// A node of the state with no more asleep than `mask`; no_node if there is none.
  [[nodiscard]] NodeId subsumer(const Word* state, Word hash, std::span<const Word> mask);
  /// Such a node, or a new one with just that asleep.
  Entered enter(NodeId parent, const Word* state, Word hash, std::span<const Word> mask);
  void read_mask(NodeId node, std::vector<Word>& mask);
  /// The states on the way to the node, the last one first.
  [[nodiscard]] std::vector<const Word*> way_to(NodeId node);

  // --- when all threads have ended

  [[nodiscard]] std::size_t bytes() const;
  /// The initial node is the first that was entered.
  [[nodiscard]] Graph graph(const std::vector<std::vector<TakenEdge>>& edges) const;

 private:
  struct NodeData {
    StateId state;
    NodeId next;  // another node of the same state, by its place in the shard
    NodeId parent;
    SleepId asleep;
  };
  struct alignas(64) Shard {
    explicit Shard(std::size_t words) : states(words, StateTable::Size::small) {}
    std::mutex mutex;
    StateTable states;
    SleepSets sleep_sets;
    std::vector<NodeData> nodes;
    std::vector<NodeId> first_node;  // per state
  };

  [[nodiscard]] Graph::Node recorded(const Shard& shard, const NodeData& data) const;
  [[nodiscard]] NodeId subsumer_in(const Shard& shard, StateId state,
                                   std::span<const Word> mask) const;

  const System& system_;
  const Sharding sharding_;
  NodeId initial_ = no_node;  // told by the one thread that enters it
  std::vector<std::unique_ptr<Shard>> shards_;
};

}  // namespace mazurka::stateful
