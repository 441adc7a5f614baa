// A plain breadth-first search, made fast by doing things in batches: the successors of a few
// hundred states are computed first, while the memory that their look-ups will need is being
// fetched, and then looked up. The arena of the state table is the queue.
#include "explorers/stateful/reach.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "explorers/stateful/budget.hpp"
#include "explorers/stateful/state_table.hpp"

namespace mazurka::stateful {

namespace {

class Reach {
 public:
  Reach(const System& system, const Settings& settings)
      : system_(system), settings_(settings), table_(system.words()), locals_(system.processes()) {}

  Result run() {
    constexpr std::uint64_t rounds_per_look = 8;
    Budget budget(settings_, result_, rounds_per_look);
    std::vector<Word> state(system_.words());
    system_.initial(state.data());
    table_.insert(state.data(), system_.hash(state.data()));
    parents_.push_back(no_state);
    if (settings_.max_depth != 0) depth_.push_back(0);
    look_at(0);
    StateId at = 0;
    while (at < table_.size() &&
           !budget.over(table_.size(), table_.size(), reach_work(result_.counts.edges))) {
      const StateId end = static_cast<StateId>(std::min<std::size_t>(table_.size(), at + batch));
      generate(at, end);
      look_up();
      at = end;
    }
    MAZURKA_CHECK(at <= table_.size(), "only states that are known are expanded");
    budget.finish(table_.size(), table_.size());
    result_.counts.work = reach_work(result_.counts.edges);
    finish();
    return std::move(result_);
  }

 private:
  static constexpr StateId batch = 64;
  struct Successor {
    Word hash;
    StateId parent;
    ActionId action;
  };

  void generate(StateId from, StateId to) {
    successors_.clear();
    packed_.clear();
    for (StateId at = from; at < to; ++at) {
      const Word* state = table_[at];
      system_.unpack(state, locals_.data());
      system_.enabled(locals_.data(), enabled_);
      if (enabled_.empty()) terminal(at);
      if (settings_.max_depth != 0 && depth_[at] >= settings_.max_depth) {
        if (!enabled_.empty()) ++result_.counts.cut;
        continue;
      }
      const Word hash = system_.hash(state);
      const std::size_t first = packed_.size();
      packed_.resize(first + enabled_.size() * system_.words());
      Word* place = packed_.data() + first;
      for (const ActionId action : enabled_) {
        const Word next = system_.step(state, hash, locals_.data(), action, place);
        table_.prefetch(next);
        successors_.push_back({next, at, action});
        place += system_.words();
      }
    }
  }

  void look_up() {
    table_.reserve(successors_.size(), [&](const Word* state) { return system_.hash(state); });
    for (const Successor& successor : successors_) table_.prefetch_state(successor.hash);
    const Word* state = packed_.data();
    for (const Successor& successor : successors_) {
      const auto [id, fresh] = table_.insert(state, successor.hash);
      if (fresh) {
        parents_.push_back(successor.parent);
        if (settings_.max_depth != 0) depth_.push_back(depth_[successor.parent] + 1);
        if (settings_.predicate != nullptr) look_at(id);
      }
      if (settings_.record) record(successor, id);
      state += system_.words();
    }
    MAZURKA_CHECK(parents_.size() == table_.size(), "each state has one it was reached from");
    result_.counts.edges += successors_.size();
  }

  void terminal(StateId state) {
    ++result_.counts.terminal;
    if (!system_.is_deadlock(locals_.data())) return;
    if (result_.counts.deadlocks++ != 0) return;
    result_.deadlock = path_to(state);
    if (settings_.found) settings_.found(result_);
  }

  void look_at(StateId state) {
    if (settings_.predicate == nullptr || result_.reached) return;
    const Word* packed = table_[state];
    if ((*settings_.predicate)(
            [&](std::uint32_t process) { return system_.local(packed, process); })) {
      result_.reached = path_to(state);
      if (settings_.found) settings_.found(result_);
    }
  }

  void record(const Successor& successor, StateId target) {
    std::vector<Graph::Node>& nodes = result_.graph.nodes;
    if (nodes.size() < table_.size()) nodes.resize(table_.size());
    nodes[successor.parent].edges.push_back({successor.action, target});
  }

  [[nodiscard]] std::vector<ActionId> path_to(StateId state) const {
    std::vector<const Word*> states;
    for (; state != no_state; state = parents_[state]) states.push_back(table_[state]);
    return actions_between(system_, states);
  }

  void finish() {
    result_.counts.bytes = table_.bytes() + parents_.capacity() * sizeof(StateId);
    if (!settings_.record) return;
    result_.graph.nodes.resize(table_.size());
    for (StateId state = 0; state < table_.size(); ++state) {
      result_.graph.nodes[state].state.assign(table_[state], table_[state] + system_.words());
    }
  }

  const System& system_;
  const Settings& settings_;
  StateTable table_;
  std::vector<StateId> parents_;
  std::vector<std::uint32_t> depth_;  // where there is a limit
  std::vector<LocalState> locals_;
  std::vector<ActionId> enabled_;
  std::vector<Successor> successors_;
  std::vector<Word> packed_;
  Result result_;
};

}  // namespace

Result reach(const System& system, const Settings& settings) {
  return Reach(system, settings).run();
}

std::vector<ActionId> actions_between(const System& system,
                                      const std::vector<const Word*>& states_backwards) {
  std::vector<ActionId> path;
  std::vector<LocalState> locals(system.processes());
  std::vector<ActionId> enabled;
  std::vector<Word> successor(system.words());
  for (std::size_t at = states_backwards.size(); at-- > 1;) {
    const Word* from = states_backwards[at];
    const Word* to = states_backwards[at - 1];
    system.unpack(from, locals.data());
    system.enabled(locals.data(), enabled);
    const std::size_t before = path.size();
    for (const ActionId action : enabled) {
      system.step(from, 0, locals.data(), action, successor.data());
      if (!std::equal(successor.begin(), successor.end(), to)) continue;
      path.push_back(system.original(action));
      break;
    }
    MAZURKA_CHECK(path.size() == before + 1, "an action leads from each state to the next");
  }
  return path;
}

}  // namespace mazurka::stateful
