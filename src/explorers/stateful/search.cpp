#include "explorers/stateful/search.hpp"

#include <memory>
#include <stdexcept>
#include <utility>

#include "core/check.hpp"
#include "explorers/stateful/budget.hpp"
#include "explorers/stateful/exact.hpp"
#include "explorers/stateful/expander.hpp"
#include "explorers/stateful/reach.hpp"
#include "explorers/stateful/shared_search.hpp"
#include "explorers/stateful/sleep_sets.hpp"
#include "explorers/stateful/state_table.hpp"
#include "explorers/stateful/stopwatch.hpp"

namespace mazurka::stateful {

namespace {

class Search {
 public:
  Search(const System& system, const Settings& settings)
      : system_(system),
        settings_(settings),
        variant_(settings.variant),
        table_(system.words()),
        frontier_(settings.exploration) {
    if (variant_.test == Test::exact) exact_ = std::make_unique<ExactFirstSets>(system);
    expander_ = std::make_unique<Expander>(system, settings.variant, exact_.get(), result_.counts);
  }

  Result run() {
    constexpr std::uint64_t rounds_per_look = 16;
    Budget budget(settings_, result_, rounds_per_look);
    expander_->step_to_initial();
    open(create(no_node, no_state));
    while (!(open_.empty() && frontier_.empty()) &&
           !budget.over(nodes_.size(), table_.size(), expander_->work())) {
      expander_->timing().begin_round();
      const Stopwatch watch(expander_->timing().whole, expander_->timing());
      if (variant_.expansion == Expansion::together) {
        expand_all();
      } else {
        expand_one();
      }
    }
    MAZURKA_CHECK(latest_.size() == table_.size(), "each state has a node");
    budget.finish(nodes_.size(), table_.size());
    count_cost();
    return std::move(result_);
  }

 private:
  struct NodeData {
    StateId state;
    NodeId next;  // another node of the same state
    NodeId parent;
    SleepId asleep;
  };
  struct Latest {  // of the nodes of a state
    NodeId node;
    SleepId asleep;
  };
  struct Frame {  // a node under expansion, one_by_one
    NodeId node;
    std::size_t at = 0;
    std::vector<ActionId> plan;
    std::vector<ActionId> asleep;
  };

  // --- the loop

  void open(NodeId node) {
    if (variant_.expansion == Expansion::together) {
      frontier_.put(node, sleep_sets_.count(nodes_[node].asleep));
      return;
    }
    open_.push_back(node);
    if (frames_.size() < open_.size()) frames_.emplace_back();
    Frame& frame = frames_[open_.size() - 1];
    load(node);
    make_plan(node);
    frame.node = node;
    frame.at = 0;
    frame.plan.assign(plan_.begin(), plan_.end());
    frame.asleep.assign(expander_->asleep().begin(), expander_->asleep().end());
  }

  void expand_all() {
    const NodeId node = frontier_.take();
    load(node);
    make_plan(node);
    for (const ActionId action : plan_) {
      const NodeId child = successor(node, action);
      if (child != no_node) open(child);
      expander_->asleep().push_back(action);
    }
  }

  void expand_one() {
    MAZURKA_CHECK(!open_.empty() && open_.size() <= frames_.size(), "an open node has a frame");
    Frame& frame = frames_[open_.size() - 1];
    if (frame.at == frame.plan.size()) {
      open_.pop_back();
      return;
    }
    if (loaded_ != frame.node) expander_->load_state(table_[nodes_[frame.node].state]);
    loaded_ = frame.node;
    const ActionId action = frame.plan[frame.at++];
    expander_->asleep().swap(frame.asleep);
    const NodeId child = successor(frame.node, action);
    expander_->asleep().swap(frame.asleep);
    frame.asleep.push_back(action);
    if (child != no_node) open(child);  // invalidates the frame
  }

  // --- one node

  void load(NodeId node) {
    expander_->load(table_[nodes_[node].state], sleep_sets_[nodes_[node].asleep]);
    loaded_ = node;
    if (!expander_->enabled().empty()) return;
    ++result_.counts.terminal;
    if (expander_->is_deadlock() && result_.counts.deadlocks++ == 0) {
      result_.deadlock = path_to(node);
      if (settings_.found) settings_.found(result_);
    }
  }

  /// The actions to take from the loaded node, in order.
  void make_plan(NodeId node) {
    if (settings_.max_depth != 0 && depth_[node] >= settings_.max_depth) {
      plan_ = {};
      if (!expander_->enabled().empty()) ++result_.counts.cut;
      return;
    }
    plan_ = expander_->plan([&](Word hash) { table_.prefetch(hash); });
    if (plan_.empty() && !expander_->enabled().empty()) ++result_.counts.asleep;
  }

  // --- one successor

  /// Takes the action from the loaded node. The new node, or no_node if there is none.
  NodeId successor(NodeId node, ActionId action) {
    expander_->step(action);
    const NodeId child = enter(node, action);
    expander_->step_back(action);
    return child;
  }

  NodeId enter(NodeId node, ActionId action) {
    const StateId state = table_.find(expander_->successor().data(), expander_->hash());
    NodeId known = no_node;
    if (state != no_state && latest_[state].asleep == 0) {
      known = latest_[state].node;  // nothing is asleep in it
    } else {
      expander_->look_around(action);
      if (state != no_state) known = subsumer(state);
    }
    if (known != no_node) {
      ++result_.counts.subsumed;
      add_edge(node, action, known);
      return no_node;
    }
    if (!expander_->worth_a_node()) {
      ++result_.counts.skipped;
      if (settings_.record) result_.graph.nodes[node].edges.push_back({action, no_node});
      return no_node;
    }
    const NodeId child = create(node, state);
    add_edge(node, action, child);
    return child;
  }

  [[nodiscard]] NodeId subsumer(StateId state) const {
    const Latest& latest = latest_[state];
    if (sleep_sets_.within(latest.asleep, expander_->mask())) return latest.node;
    for (NodeId node = nodes_[latest.node].next; node != no_node; node = nodes_[node].next) {
      if (sleep_sets_.within(nodes_[node].asleep, expander_->mask())) return node;
    }
    return no_node;
  }

  /// A node of the successor, with what is asleep there.
  NodeId create(NodeId parent, StateId state) {
    if (state == no_state) {
      table_.reserve(1, [&](const Word* packed) { return system_.hash(packed); });
      state = table_.insert(expander_->successor().data(), expander_->hash()).state;
      latest_.push_back({no_node, 0});
    }
    if (nodes_.size() == no_node) throw std::length_error("more than 4294967295 nodes");
    const auto node = static_cast<NodeId>(nodes_.size());
    const SleepId asleep = sleep_sets_.intern(expander_->mask());
    MAZURKA_CHECK(parent == no_node || parent < node, "a node is reached from an earlier one");
    nodes_.push_back({state, latest_[state].node, parent, asleep});
    latest_[state] = {node, asleep};
    if (settings_.max_depth != 0) depth_.push_back(parent == no_node ? 0 : depth_[parent] + 1);
    if (settings_.record) record();
    if (settings_.predicate != nullptr && !result_.reached &&
        expander_->satisfies(*settings_.predicate)) {
      result_.reached = path_to(node);
      if (settings_.found) settings_.found(result_);
    }
    return node;
  }

  void add_edge(NodeId node, ActionId action, NodeId target) {
    ++result_.counts.edges;
    if (settings_.record) result_.graph.nodes[node].edges.push_back({action, target});
  }

  // --- the rest

  void record() {
    Graph::Node& kept = result_.graph.nodes.emplace_back();
    kept.state = expander_->successor();
    const std::vector<Word>& mask = expander_->mask();
    for_each_bit(mask.data(), mask.size(),
                 [&](std::size_t at) { kept.asleep.push_back(expander_->enabled_below()[at]); });
  }

  [[nodiscard]] std::vector<ActionId> path_to(NodeId node) const {
    std::vector<const Word*> states;
    for (; node != no_node; node = nodes_[node].parent) {
      states.push_back(table_[nodes_[node].state]);
    }
    return actions_between(system_, states);
  }

  void count_cost() {
    const double whole = expander_->timing().whole;
    const double measured = whole > 0 ? result_.counts.seconds / whole : 0;
    result_.counts.first_set_seconds *= measured;
    result_.counts.source_set_seconds *= measured;
    result_.counts.work = expander_->work();
    result_.counts.bytes = table_.bytes() + sleep_sets_.bytes() +
                           nodes_.capacity() * sizeof(NodeData) +
                           latest_.capacity() * sizeof(Latest);
  }

  const System& system_;
  const Settings& settings_;
  const Variant variant_;
  StateTable table_;
  SleepSets sleep_sets_;
  std::unique_ptr<ExactFirstSets> exact_;
  std::unique_ptr<Expander> expander_;

  std::vector<NodeData> nodes_;
  std::vector<Latest> latest_;        // per state
  std::vector<std::uint32_t> depth_;  // of the nodes, where there is a limit
  Frontier frontier_;                 // together: the nodes to be expanded
  std::vector<NodeId> open_;          // one by one: those under expansion
  std::vector<Frame> frames_;         // parallel to open_, recycled
  NodeId loaded_ = no_node;
  std::span<const ActionId> plan_;
  Result result_;
};

}  // namespace

Result search(const System& system, const Settings& settings) {
  if (!why_not(settings.variant, settings.exploration).empty()) {
    throw std::invalid_argument("an order of exploration that the variant does not have");
  }
  if (settings.threads > 1) return search_together(system, settings);
  if (!settings.variant.reduced) return reach(system, settings);
  return Search(system, settings).run();
}

}  // namespace mazurka::stateful
