#include "explorers/stateful/exact.hpp"

#include <algorithm>

#include "core/check.hpp"

namespace mazurka::stateful {

ExactFirstSets::ExactFirstSets(const System& system, std::size_t max_states,
                               std::size_t max_sets_per_state)
    : system_(system), table_(system.words()) {
  build(max_states);
  compute(max_sets_per_state);
}

void ExactFirstSets::build(std::size_t max_states) {
  std::vector<Word> state(system_.words());
  std::vector<Word> successor(system_.words());
  std::vector<LocalState> locals(system_.processes());
  std::vector<ActionId> enabled;
  const auto hash_of = [this](const Word* packed) { return system_.hash(packed); };
  system_.initial(state.data());
  table_.insert(state.data(), system_.hash(state.data()));
  for (StateId at = 0; at < table_.size(); ++at) {
    if (table_.size() > max_states) {
      throw NetworkError("the exact oracle needs the whole state space, which has more than " +
                         std::to_string(max_states) + " states here");
    }
    std::copy_n(table_[at], system_.words(), state.begin());
    system_.unpack(state.data(), locals.data());
    system_.enabled(locals.data(), enabled);
    table_.reserve(enabled.size(), hash_of);
    std::vector<Step>& steps = steps_.emplace_back();
    const Word hash = system_.hash(state.data());
    for (const ActionId action : enabled) {
      const Word next = system_.step(state.data(), hash, locals.data(), action, successor.data());
      steps.push_back({action, table_.insert(successor.data(), next).state});
    }
  }
}

std::vector<StateId> ExactFirstSets::ends_first() const {
  std::vector<StateId> order;
  std::vector<bool> entered(steps_.size(), false);
  std::vector<std::pair<StateId, std::size_t>> path{{0, 0}};
  entered[0] = true;
  while (!path.empty()) {
    auto& [state, at] = path.back();
    if (at == steps_[state].size()) {
      order.push_back(state);
      path.pop_back();
      continue;
    }
    const StateId target = steps_[state][at++].target;
    if (!entered[target]) {
      entered[target] = true;
      path.emplace_back(target, 0);
    }
  }
  return order;
}

void ExactFirstSets::add(StateId state, std::vector<Word> set) {
  std::vector<std::vector<Word>>& known = sets_[state];
  for (const std::vector<Word>& other : known) {
    if (subset(other.data(), set.data(), set.size())) return;
  }
  std::erase_if(known, [&](const std::vector<Word>& other) {
    return subset(set.data(), other.data(), set.size());
  });
  known.push_back(std::move(set));
}

void ExactFirstSets::compute(std::size_t max_sets) {
  MAZURKA_CHECK(steps_.size() == table_.size(), "the steps of each state are known");
  sets_.resize(steps_.size());
  for (const StateId state : ends_first()) {
    if (steps_[state].empty()) sets_[state].emplace_back(system_.action_words(), 0);
    for (const Step& step : steps_[state]) {
      MAZURKA_CHECK(!sets_[step.target].empty(), "the first sets of what follows are known");
      for (const std::vector<Word>& rest : sets_[step.target]) {
        std::vector<Word> set(system_.action_words(), 0);
        for_each_bit(rest.data(), rest.size(), [&](std::size_t action) {
          if (!system_.dependent(step.action, static_cast<ActionId>(action))) {
            insert(set.data(), action);
          }
        });
        insert(set.data(), step.action);
        add(state, std::move(set));
      }
    }
    if (sets_[state].size() > max_sets) {
      throw NetworkError("a state has more than " + std::to_string(max_sets) +
                         " first sets: the system is too large for the exact oracle");
    }
  }
}

std::span<const std::vector<Word>> ExactFirstSets::of(const Word* state) const {
  const StateId id = table_.find(state, system_.hash(state));
  if (id == no_state) throw NetworkError("a state that cannot be reached was explored");
  return sets_[id];
}

bool ExactFirstSets::included(const Word* state, std::span<const Word> allowed) const {
  const auto sets = of(state);
  return std::any_of(sets.begin(), sets.end(), [&](const std::vector<Word>& set) {
    return subset(set.data(), allowed.data(), set.size());
  });
}

// --- certificate
// ------------------------------------------------------------------------------------

namespace {

class Certificate {
 public:
  Certificate(const System& system, const Graph& graph, const ExactFirstSets& exact)
      : system_(system),
        graph_(graph),
        exact_(exact),
        locals_(system.processes()),
        successor_(system.words()) {}

  std::string run() {
    for (NodeId node = 0; node < graph_.nodes.size(); ++node) {
      const std::string wrong = check(graph_.nodes[node]);
      if (!wrong.empty()) return "node " + std::to_string(node) + ": " + wrong;
    }
    return {};
  }

 private:
  std::string check(const Graph::Node& node) {
    std::vector<Word> asleep(system_.action_words(), 0);
    std::vector<Word> considered(system_.action_words(), 0);
    std::vector<Word> explored(system_.action_words(), 0);
    for (const ActionId action : node.asleep) insert(asleep.data(), action);
    for (const Graph::Edge& edge : node.edges) {
      insert(considered.data(), edge.action);
      if (edge.target != no_node) insert(explored.data(), edge.action);
    }
    for (const std::vector<Word>& first : exact_.of(node.state.data())) {
      const bool empty = std::all_of(first.begin(), first.end(), [](Word w) { return w == 0; });
      if (empty || meet(first.data(), asleep.data(), first.size())) continue;
      if (!meet(first.data(), considered.data(), first.size())) return "misses a first set";
      if (!meet(first.data(), explored.data(), first.size())) return "skips a first set";
    }
    return check_edges(node, std::move(asleep));
  }

  std::string check_edges(const Graph::Node& node, std::vector<Word> asleep) {
    system_.unpack(node.state.data(), locals_.data());
    const Word hash = system_.hash(node.state.data());
    std::vector<Word> below(system_.action_words());
    for (const Graph::Edge& edge : node.edges) {
      if (!system_.is_enabled(locals_.data(), edge.action)) return "takes a disabled action";
      system_.step(node.state.data(), hash, locals_.data(), edge.action, successor_.data());
      std::fill(below.begin(), below.end(), Word{0});
      for_each_bit(asleep.data(), asleep.size(), [&](std::size_t action) {
        if (!system_.dependent(edge.action, static_cast<ActionId>(action))) {
          insert(below.data(), action);
        }
      });
      if (edge.target == no_node) {
        if (!all_begin_in(below)) return "skips an action that leads to something new";
      } else {
        const Graph::Node& target = graph_.nodes[edge.target];
        if (target.state != successor_) return "has an edge to a wrong state";
        for (const ActionId action : target.asleep) {
          if (!contains(below.data(), action)) return "puts too much to sleep";
        }
      }
      insert(asleep.data(), edge.action);
    }
    return {};
  }

  [[nodiscard]] bool all_begin_in(const std::vector<Word>& asleep) const {
    const auto sets = exact_.of(successor_.data());
    return std::all_of(sets.begin(), sets.end(), [&](const std::vector<Word>& first) {
      return meet(first.data(), asleep.data(), first.size());
    });
  }

  const System& system_;
  const Graph& graph_;
  const ExactFirstSets& exact_;
  std::vector<LocalState> locals_;
  std::vector<Word> successor_;
};

}  // namespace

std::string certify(const System& system, const Graph& graph, const ExactFirstSets& exact) {
  return Certificate(system, graph, exact).run();
}

}  // namespace mazurka::stateful
