#include "explorers/stateful/shared_nodes.hpp"

#include "core/check.hpp"

namespace mazurka::stateful {

SharedNodes::SharedNodes(const System& system, unsigned threads)
    : system_(system), sharding_(threads) {
  for (std::size_t at = 0; at < sharding_.shards(); ++at) {
    shards_.push_back(std::make_unique<Shard>(system.words()));
  }
}

NodeId SharedNodes::subsumer_in(const Shard& shard, StateId state,
                                std::span<const Word> mask) const {
  for (NodeId at = shard.first_node[state]; at != no_node; at = shard.nodes[at].next) {
    if (shard.sleep_sets.within(shard.nodes[at].asleep, mask)) return at;
  }
  return no_node;
}

NodeId SharedNodes::subsumer(const Word* state, Word hash, std::span<const Word> mask) {
  const std::size_t number = sharding_.shard_of(hash);
  Shard& shard = *shards_[number];
  const std::lock_guard guard(shard.mutex);
  const StateId known = shard.states.find(state, hash);
  if (known == no_state) return no_node;
  const NodeId at = subsumer_in(shard, known, mask);
  return at == no_node ? no_node : sharding_.number(number, at);
}

SharedNodes::Entered SharedNodes::enter(NodeId parent, const Word* state, Word hash,
                                        std::span<const Word> mask) {
  const std::size_t number = sharding_.shard_of(hash);
  Shard& shard = *shards_[number];
  const std::lock_guard guard(shard.mutex);
  shard.states.reserve(1, [&](const Word* packed) { return system_.hash(packed); });
  const auto [id, is_new_state] = shard.states.insert(state, hash);
  if (is_new_state) shard.first_node.push_back(no_node);
  const Word* const kept = shard.states[id];
  const NodeId known = subsumer_in(shard, id, mask);
  if (known != no_node) return {sharding_.number(number, known), kept, false, false};
  MAZURKA_CHECK(shard.first_node.size() == shard.states.size(), "each state has its nodes");
  const std::size_t at = shard.nodes.size();
  const NodeId fresh = sharding_.number(number, at);
  shard.nodes.push_back({id, shard.first_node[id], parent, shard.sleep_sets.intern(mask)});
  shard.first_node[id] = static_cast<NodeId>(at);
  if (parent == no_node) initial_ = fresh;
  return {fresh, kept, true, is_new_state};
}

void SharedNodes::read_mask(NodeId node, std::vector<Word>& mask) {
  Shard& shard = *shards_[sharding_.shard(node)];
  const std::lock_guard guard(shard.mutex);
  const auto asleep = shard.sleep_sets[shard.nodes[sharding_.at(node)].asleep];
  mask.assign(asleep.begin(), asleep.end());
}

std::vector<const Word*> SharedNodes::way_to(NodeId node) {
  std::vector<const Word*> states;
  while (node != no_node) {
    Shard& shard = *shards_[sharding_.shard(node)];
    const std::lock_guard guard(shard.mutex);
    const NodeData& data = shard.nodes[sharding_.at(node)];
    states.push_back(shard.states[data.state]);
    MAZURKA_CHECK(data.parent != node, "a node is reached from another one");
    node = data.parent;
  }
  return states;
}

std::size_t SharedNodes::bytes() const {
  std::size_t sum = 0;
  for (const auto& shard : shards_) {
    sum += sizeof(Shard) + shard->states.bytes() + shard->sleep_sets.bytes() +
           shard->nodes.capacity() * sizeof(NodeData) +
           shard->first_node.capacity() * sizeof(NodeId);
  }
  return sum;
}

Graph::Node SharedNodes::recorded(const Shard& shard, const NodeData& data) const {
  Graph::Node node;
  const Word* const state = shard.states[data.state];
  node.state.assign(state, state + system_.words());
  std::vector<LocalState> locals(system_.processes());
  std::vector<ActionId> enabled;
  system_.unpack(state, locals.data());
  system_.enabled(locals.data(), enabled);
  const auto asleep = shard.sleep_sets[data.asleep];
  for_each_bit(asleep.data(), asleep.size(),
               [&](std::size_t bit) { node.asleep.push_back(enabled[bit]); });
  return node;
}

Graph SharedNodes::graph(const std::vector<std::vector<TakenEdge>>& edges) const {
  std::vector<std::size_t> sizes;
  for (const auto& shard : shards_) sizes.push_back(shard->nodes.size());
  const auto make = [&](std::size_t shard, std::size_t at) {
    return recorded(*shards_[shard], shards_[shard]->nodes[at]);
  };
  return put_together(sharding_, initial_, sizes, make, edges);
}

}  // namespace mazurka::stateful
