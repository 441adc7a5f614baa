#include "explorers/stateful/search.hpp"

#include <algorithm>

#include "explorers/stateful/budget.hpp"
#include "explorers/stateful/exact.hpp"
#include "explorers/stateful/first_set.hpp"
#include "explorers/stateful/reach.hpp"
#include "explorers/stateful/selection.hpp"
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
        first_set_test_(system),
        selection_(system, settings.variant, first_set_test_, result_.counts, timing_),
        state_(system.words()),
        locals_(system.processes()),
        successor_(system.words()) {
    sleeping_.resize(system.actions());
    below_.resize(system.actions());
    if (variant_.test == Test::exact) exact_ = std::make_unique<ExactFirstSets>(system);
  }

  Result run() {
    constexpr std::uint64_t rounds_per_look = 16;
    Budget budget(settings_, result_, rounds_per_look);
    system_.initial(successor_.data());
    system_.unpack(successor_.data(), locals_.data());
    system_.enabled(locals_.data(), enabled_below_);
    mask_.clear();
    open(create(no_node, system_.hash(successor_.data()), no_state));
    while (!open_.empty() && !budget.over(nodes_.size(), table_.size(), work())) {
      timing_.begin_round();
      const Stopwatch watch(timing_.whole, timing_);
      if (variant_.expansion == Expansion::together) {
        expand_all();
      } else {
        expand_one();
      }
    }
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
  struct Frame {  // a node under expansion, one_by_one
    NodeId node;
    std::size_t at = 0;
    std::vector<ActionId> plan;
    std::vector<ActionId> asleep;
  };

  // --- the loop

  void open(NodeId node) {
    open_.push_back(node);
    if (variant_.expansion == Expansion::together) return;
    if (frames_.size() < open_.size()) frames_.emplace_back();
    Frame& frame = frames_[open_.size() - 1];
    load(node);
    make_plan(node);
    frame.node = node;
    frame.at = 0;
    frame.plan.assign(plan_.begin(), plan_.end());
    frame.asleep.assign(asleep_.begin(), asleep_.end());
  }

  void expand_all() {
    const NodeId node = open_.back();
    open_.pop_back();
    load(node);
    make_plan(node);
    for (const ActionId action : plan_) {
      const NodeId child = successor(node, action);
      if (child != no_node) open_.push_back(child);
      asleep_.push_back(action);
    }
  }

  void expand_one() {
    Frame& frame = frames_[open_.size() - 1];
    if (frame.at == frame.plan.size()) {
      open_.pop_back();
      return;
    }
    if (loaded_ != frame.node) load_state(frame.node);
    const ActionId action = frame.plan[frame.at++];
    asleep_.swap(frame.asleep);
    const NodeId child = successor(frame.node, action);
    asleep_.swap(frame.asleep);
    frame.asleep.push_back(action);
    if (child != no_node) open(child);  // invalidates the frame
  }

  // --- one node

  void load_state(NodeId node) {
    std::copy_n(table_[nodes_[node].state], system_.words(), state_.begin());
    hash_ = system_.hash(state_.data());
    system_.unpack(state_.data(), locals_.data());
    loaded_ = node;
  }

  /// Brings in the state of a node, what is enabled in it and what is asleep.
  void load(NodeId node) {
    load_state(node);
    system_.enabled(locals_.data(), enabled_);
    asleep_.clear();
    sleeping_.clear();
    const auto mask = sleep_sets_[nodes_[node].asleep];
    for_each_bit(mask.data(), mask.size(), [&](std::size_t at) {
      asleep_.push_back(enabled_[at]);
      sleeping_.insert(enabled_[at]);
    });
    if (!enabled_.empty()) return;
    ++result_.counts.terminal;
    if (system_.is_deadlock(locals_.data()) && result_.counts.deadlocks++ == 0) {
      result_.deadlock = path_to(node);
      if (settings_.found) settings_.found(result_);
    }
  }

  /// The actions to take from the loaded node, in order.
  void make_plan(NodeId node) {
    if (settings_.max_depth != 0 && depth_[node] >= settings_.max_depth) {
      plan_ = {};
      if (!enabled_.empty()) ++result_.counts.cut;
      return;
    }
    plan_ = selection_.select(locals_.data(), enabled_, sleeping_);
    if (plan_.empty() && !enabled_.empty()) ++result_.counts.asleep;
  }

  // --- one successor

  /// Takes the action from the loaded node, in which asleep_ is asleep by now. The new node, or
  /// no_node if there is none.
  NodeId successor(NodeId node, ActionId action) {
    const Word hash = system_.step(state_.data(), hash_, locals_.data(), action, successor_.data());
    table_.prefetch(hash);
    moved_.clear();
    for (const System::Participant& who : system_.participants(action)) {
      moved_.push_back(locals_[who.process]);
      locals_[who.process] = system_.target(who, locals_[who.process]);
    }
    const NodeId child = enter(node, action, hash);
    std::size_t at = 0;
    for (const System::Participant& who : system_.participants(action)) {
      locals_[who.process] = moved_[at++];
    }
    return child;
  }

  NodeId enter(NodeId node, ActionId action, Word hash) {
    system_.enabled(locals_.data(), enabled_below_);
    work_ += 1 + enabled_below_.size();
    put_to_sleep(action);
    const StateId state = table_.find(successor_.data(), hash);
    const NodeId known = state == no_state ? no_node : subsumer(state);
    if (known != no_node) {
      ++result_.counts.subsumed;
      add_edge(node, action, known);
      return no_node;
    }
    if (!worth_a_node()) {
      ++result_.counts.skipped;
      if (settings_.record) result_.graph.nodes[node].edges.push_back({action, no_node});
      return no_node;
    }
    const NodeId child = create(node, hash, state);
    add_edge(node, action, child);
    return child;
  }

  /// awake_below_: what of the successor's enabled actions is not asleep; mask_: what is.
  void put_to_sleep(ActionId action) {
    below_.clear();
    for (const ActionId sleeper : asleep_) {
      if (!system_.dependent(action, sleeper)) below_.insert(sleeper);
    }
    mask_.assign(words_for(enabled_below_.size()), 0);
    awake_below_.clear();
    for (std::size_t at = 0; at < enabled_below_.size(); ++at) {
      if (below_.contains(enabled_below_[at])) {
        if (variant_.sleep) insert(mask_.data(), at);
      } else {
        awake_below_.push_back(enabled_below_[at]);
      }
    }
  }

  [[nodiscard]] NodeId subsumer(StateId state) const {
    for (NodeId node = first_node_[state]; node != no_node; node = nodes_[node].next) {
      if (sleep_sets_.within(nodes_[node].asleep, mask_)) return node;
    }
    return no_node;
  }

  [[nodiscard]] bool worth_a_node() {
    if (enabled_below_.empty()) return true;
    if (awake_below_.empty()) return false;
    if (awake_below_.size() == enabled_below_.size() || variant_.test == Test::awake) return true;
    const Stopwatch watch(result_.counts.first_set_seconds, timing_);
    ++result_.counts.first_set_tests;
    if (variant_.test == Test::exact) {
      allowed_.assign(system_.action_words(), 0);
      for (const ActionId action : awake_below_) insert(allowed_.data(), action);
      return exact_->included(successor_.data(), allowed_);
    }
    const auto paths =
        variant_.test == Test::rpifs ? FirstSetTest::Paths::any : FirstSetTest::Paths::within_set;
    return first_set_test_(locals_.data(), enabled_below_, awake_below_, paths).possible;
  }

  /// A node of successor_ with mask_ asleep.
  NodeId create(NodeId parent, Word hash, StateId state) {
    if (state == no_state) {
      table_.reserve(1, [&](const Word* packed) { return system_.hash(packed); });
      state = table_.insert(successor_.data(), hash).state;
      first_node_.push_back(no_node);
    }
    if (nodes_.size() == no_node) throw std::length_error("more than 4294967295 nodes");
    const auto node = static_cast<NodeId>(nodes_.size());
    nodes_.push_back({state, first_node_[state], parent, sleep_sets_.intern(mask_)});
    first_node_[state] = node;
    if (settings_.max_depth != 0) depth_.push_back(parent == no_node ? 0 : depth_[parent] + 1);
    if (settings_.record) record();
    if (settings_.predicate != nullptr && !result_.reached &&
        (*settings_.predicate)([&](std::uint32_t process) { return locals_[process]; })) {
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
    kept.state = successor_;
    for_each_bit(mask_.data(), mask_.size(),
                 [&](std::size_t at) { kept.asleep.push_back(enabled_below_[at]); });
  }

  [[nodiscard]] std::vector<ActionId> path_to(NodeId node) const {
    std::vector<const Word*> states;
    for (; node != no_node; node = nodes_[node].parent) {
      states.push_back(table_[nodes_[node].state]);
    }
    return actions_between(system_, states);
  }

  [[nodiscard]] std::uint64_t work() const {
    return work_ + first_set_test_.work() + selection_.work();
  }

  void count_cost() {
    const double measured = timing_.whole > 0 ? result_.counts.seconds / timing_.whole : 0;
    result_.counts.first_set_seconds *= measured;
    result_.counts.source_set_seconds *= measured;
    result_.counts.work = work();
    result_.counts.bytes = table_.bytes() + sleep_sets_.bytes() +
                           nodes_.capacity() * sizeof(NodeData) +
                           first_node_.capacity() * sizeof(NodeId);
  }

  const System& system_;
  const Settings& settings_;
  const Variant variant_;
  StateTable table_;
  SleepSets sleep_sets_;
  FirstSetTest first_set_test_;
  Timing timing_;
  Selection selection_;
  std::unique_ptr<ExactFirstSets> exact_;

  std::vector<NodeData> nodes_;
  std::vector<NodeId> first_node_;    // per state
  std::vector<std::uint32_t> depth_;  // of the nodes, where there is a limit
  std::vector<NodeId> open_;
  std::vector<Frame> frames_;  // parallel to open_, recycled

  // The loaded node.
  NodeId loaded_ = no_node;
  std::vector<Word> state_;
  Word hash_ = 0;
  std::vector<LocalState> locals_;
  std::vector<ActionId> enabled_;
  std::vector<ActionId> asleep_;
  RoundSet sleeping_;
  std::span<const ActionId> plan_;

  // The successor under construction.
  std::vector<Word> successor_;
  std::vector<LocalState> moved_;
  std::vector<ActionId> enabled_below_;
  RoundSet below_;  // what is asleep there
  std::vector<ActionId> awake_below_;
  std::vector<Word> mask_;
  std::vector<Word> allowed_;

  std::uint64_t work_ = 0;
  Result result_;
};

}  // namespace

Result search(const System& system, const Settings& settings) {
  if (!settings.variant.reduced) return reach(system, settings);
  return Search(system, settings).run();
}

}  // namespace mazurka::stateful
