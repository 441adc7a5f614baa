#include "explorers/stateful/shared_search.hpp"

#include <memory>
#include <stdexcept>
#include <utility>

#include "explorers/stateful/crew.hpp"
#include "explorers/stateful/expander.hpp"
#include "explorers/stateful/piles.hpp"
#include "explorers/stateful/reach.hpp"
#include "explorers/stateful/shared_nodes.hpp"

namespace mazurka::stateful {

namespace {

/// A node, and what is left to be taken from it.
struct Open {
  NodeId node = no_node;
  const Word* state = nullptr;
  std::vector<ActionId> actions;  // one by one: those asleep in the node, then those to be taken
  std::size_t next = 0;           // of them; all before it are asleep by now
};

/// What all threads of a search have.
struct Common {
  Common(const System& of, const Settings& with)
      : system(of),
        settings(with),
        nodes(of, with.threads),
        open(with.threads),
        crew(with, with.threads) {
    if (with.variant.test == Test::exact) exact = std::make_unique<ExactFirstSets>(of);
  }

  const System& system;
  const Settings& settings;
  SharedNodes nodes;
  Piles<Open> open;
  Crew crew;
  std::unique_ptr<ExactFirstSets> exact;
};

class NodeExplorer {
 public:
  NodeExplorer(Common& common, unsigned thread)
      : common_(common),
        thread_(thread),
        variant_(common.settings.variant),
        counts_(common.crew.counts(thread)),
        expander_(common.system, variant_, common.exact.get(), counts_) {}

  void begin() {
    expander_.step_to_initial();
    const auto entered = create(no_node);
    put_child(entered);
    common_.open.done();
  }

  void run() {
    unsigned in_vain = 0;
    while (!common_.crew.over(thread_, expander_.work())) {
      std::optional<Open> item = common_.open.take(thread_);
      if (!item) {
        if (common_.open.all_done()) break;
        common_.crew.wait_for_others(in_vain);
        continue;
      }
      in_vain = 0;
      expander_.timing().begin_round();
      const Stopwatch watch(expander_.timing().whole, expander_.timing());
      if (variant_.expansion == Expansion::together) {
        expand_all(*item);
      } else {
        expand_one(*item);
      }
      common_.open.done();
    }
    counts_.work = expander_.work();
    common_.crew.measured(thread_, expander_.timing().whole);
  }

  [[nodiscard]] std::vector<TakenEdge>& edges() { return edges_; }

 private:
  void expand_all(const Open& item) {
    load(item.node, item.state);
    std::uint32_t position = 0;
    for (const ActionId action : make_plan()) {
      const auto entered = successor(item.node, action, position++);
      if (entered.is_new) put_child(entered);
      expander_.asleep().push_back(action);
    }
  }

  // What is left of the node is there for others before anything is done about its successor.
  void expand_one(Open& item) {
    if (item.next == item.actions.size()) return;
    if (loaded_ != item.node) expander_.load_state(item.state);
    loaded_ = item.node;
    const NodeId node = item.node;
    const auto position = static_cast<std::uint32_t>(item.next);
    const ActionId action = item.actions[item.next];
    expander_.asleep().assign(item.actions.begin(),
                              item.actions.begin() + static_cast<std::ptrdiff_t>(item.next));
    if (++item.next < item.actions.size()) common_.open.put(thread_, std::move(item));
    const auto entered = successor(node, action, position);
    if (entered.is_new) put_child(entered);
  }

  void put_child(const SharedNodes::Entered& entered) {
    Open child{entered.node, entered.state, {}, 0};
    if (variant_.expansion == Expansion::one_by_one) {
      load(child.node, child.state);
      const auto plan = make_plan();
      const std::vector<ActionId>& asleep = expander_.asleep();
      child.actions.reserve(asleep.size() + plan.size());
      child.actions.assign(asleep.begin(), asleep.end());
      child.actions.insert(child.actions.end(), plan.begin(), plan.end());
      child.next = asleep.size();
      if (plan.empty()) return;
    }
    common_.open.put(thread_, std::move(child));
  }

  void load(NodeId node, const Word* state) {
    mask_.clear();
    if (variant_.sleep) common_.nodes.read_mask(node, mask_);
    expander_.load(state, mask_);
    loaded_ = node;
    if (!expander_.enabled().empty()) return;
    ++counts_.terminal;
    if (!expander_.is_deadlock()) return;
    ++counts_.deadlocks;
    if (!common_.crew.has_deadlock()) common_.crew.found_deadlock(path_to(node));
  }

  std::span<const ActionId> make_plan() {
    const std::span<const ActionId> plan = expander_.plan();
    if (plan.empty() && !expander_.enabled().empty()) ++counts_.asleep;
    return plan;
  }

  /// Takes the action from the loaded node.
  SharedNodes::Entered successor(NodeId node, ActionId action, std::uint32_t position) {
    expander_.step(action);
    expander_.look_around(action);
    const auto entered = enter(node);
    expander_.step_back(action);
    if (entered.node != no_node) ++counts_.edges;
    if (common_.settings.record) edges_.push_back({node, position, action, entered.node});
    return entered;
  }

  // While it is being thought about whether a node is worth it, others may enter such a one.
  SharedNodes::Entered enter(NodeId node) {
    const NodeId known =
        common_.nodes.subsumer(expander_.successor().data(), expander_.hash(), expander_.mask());
    if (known != no_node) {
      ++counts_.subsumed;
      return {.node = known};
    }
    if (!expander_.worth_a_node()) {
      ++counts_.skipped;
      return {};
    }
    return create(node);
  }

  SharedNodes::Entered create(NodeId parent) {
    const auto entered = common_.nodes.enter(parent, expander_.successor().data(), expander_.hash(),
                                             expander_.mask());
    if (!entered.is_new) {
      ++counts_.subsumed;
      return entered;
    }
    ++counts_.nodes;
    if (entered.is_new_state) ++counts_.states;
    const StatePredicate* const predicate = common_.settings.predicate;
    if (predicate != nullptr && !common_.crew.has_reached() && expander_.satisfies(*predicate)) {
      common_.crew.found_predicate(path_to(entered.node));
    }
    return entered;
  }

  [[nodiscard]] std::vector<ActionId> path_to(NodeId node) const {
    return actions_between(common_.system, common_.nodes.way_to(node));
  }

  Common& common_;
  const unsigned thread_;
  const Variant variant_;
  Counts& counts_;
  Expander expander_;
  NodeId loaded_ = no_node;
  std::vector<Word> mask_;
  std::vector<TakenEdge> edges_;
};

/// No thread makes what it needs to explore before it may begin.
void wait_to_begin(const Common& common, unsigned thread) {
  unsigned in_vain = 0;
  while (!common.crew.may_begin(thread) && !common.crew.over() && !common.open.all_done()) {
    common.crew.wait_for_others(in_vain);
  }
}

}  // namespace

Result search_together(const System& system, const Settings& settings) {
  if (!settings.variant.reduced) return reach_together(system, settings);
  if (settings.exploration != Exploration::depth_first) {
    throw std::invalid_argument("an order of exploration for several threads");
  }
  if (settings.max_depth != 0) {
    throw std::invalid_argument("a limit on the depth of a search with reductions by threads");
  }
  Common common(system, settings);
  std::vector<std::vector<TakenEdge>> edges(settings.threads);
  const auto work = [&](unsigned thread) {
    wait_to_begin(common, thread);
    if (common.crew.over()) return;
    NodeExplorer worker(common, thread);
    if (thread == 0) worker.begin();
    worker.run();
    edges[thread] = std::move(worker.edges());
  };
  Result result = common.crew.run(work);
  result.counts.bytes = common.nodes.bytes();
  if (settings.record) result.graph = common.nodes.graph(edges);
  return result;
}

}  // namespace mazurka::stateful
