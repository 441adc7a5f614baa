#include "automata/checks.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/session.hpp"
#include "explorers/stateful/search.hpp"
#include "explorers/stateful/shared_search.hpp"
#include "explorers/table.hpp"
#include "programs/automata/automata_program.hpp"
#include "programs/automata/document.hpp"
#include "programs/automata/writer.hpp"

namespace mazurka::automata_test {

namespace {

using namespace stateful;
using Trace = std::vector<ActionId>;  // in lexicographic normal form
using Traces = std::set<Trace>;

/// The smallest sequence that is equivalent to the given one.
Trace normal_form(const System& system, Trace rest) {
  Trace result;
  while (!rest.empty()) {
    std::size_t best = rest.size();
    for (std::size_t at = 0; at < rest.size(); ++at) {
      const bool first =
          std::none_of(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(at),
                       [&](ActionId earlier) { return system.dependent(earlier, rest[at]); });
      if (first && (best == rest.size() || rest[at] < rest[best])) best = at;
    }
    result.push_back(rest[best]);
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return result;
}

/// The maximal traces of a recorded graph in the network's numbering; false if there are too many.
bool collect_traces(const System& system, const Graph& graph, std::size_t limit, Traces& out) {
  std::vector<Traces> of_node(graph.nodes.size());
  std::vector<bool> entered(graph.nodes.size(), false);
  std::vector<std::pair<NodeId, std::size_t>> path{{0, 0}};
  std::vector<LocalState> locals(system.processes());
  std::vector<ActionId> enabled;
  entered[0] = true;
  while (!path.empty()) {
    auto& [node, at] = path.back();
    const std::vector<Graph::Edge>& edges = graph.nodes[node].edges;
    if (at < edges.size()) {
      const NodeId target = edges[at++].target;
      if (target != no_node && !entered[target]) {
        entered[target] = true;
        path.emplace_back(target, 0);
      }
      continue;
    }
    Traces& traces = of_node[node];
    for (const Graph::Edge& edge : edges) {
      if (edge.target == no_node) continue;
      for (const Trace& rest : of_node[edge.target]) {
        Trace whole{edge.action};
        whole.insert(whole.end(), rest.begin(), rest.end());
        traces.insert(normal_form(system, std::move(whole)));
      }
      if (traces.size() > limit) return false;
    }
    system.unpack(graph.nodes[node].state.data(), locals.data());
    system.enabled(locals.data(), enabled);
    if (enabled.empty()) traces.insert(Trace{});
    path.pop_back();
  }
  for (Trace trace : of_node[0]) {
    for (ActionId& action : trace) action = system.original(action);
    out.insert(std::move(trace));
  }
  return true;
}

class Check {
 public:
  Check(const Network& network, std::uint64_t seed, const CheckLimits& limits)
      : network_(network), seed_(seed), limits_(limits), system_(network) {}

  Verdicts run() {
    if (!brute_force()) {
      verdicts_.too_large = true;
      return verdicts_;
    }
    for (const Order order : {Order::declared, Order::shuffled}) {
      const System system(network_, order, seed_);
      const ExactFirstSets exact(system);
      for (const Variant& variant : variants()) check_variant(system, exact, variant, order);
    }
    check_predicate();
    check_file();
    if (limits_.stateless) {
      // Those that compare states have the stateful search here, and refuse the front-end.
      for (const Technique* const one : general_techniques()) {
        const Technique& technique = *one;
        if (!(technique.needs == Needs::states)) check_stateless(technique);
      }
    }
    return verdicts_;
  }

 private:
  void wrong(const std::string& what) {
    if (verdicts_.wrong.empty()) verdicts_.wrong = what;
  }

  bool brute_force() {
    Settings settings;
    settings.variant = *find_variant("reach");
    settings.record = true;
    settings.stop_at_finding = false;
    settings.max_nodes = limits_.max_states;
    const Result result = search(system_, settings);
    if (result.end != End::complete) return false;
    deadlocks_ = result.counts.deadlocks;
    terminal_ = result.counts.terminal;
    full_ = result.graph;
    if (deadlocks_ != waiting_ends()) wrong("deadlocks of all states");
    return collect_traces(system_, result.graph, limits_.max_traces, traces_);
  }

  /// The terminal states in which some client has an edge, possible or not.
  [[nodiscard]] std::uint64_t waiting_ends() const {
    std::uint64_t count = 0;
    std::vector<LocalState> locals(system_.processes());
    for (const Graph::Node& node : full_.nodes) {
      if (!node.edges.empty()) continue;
      system_.unpack(node.state.data(), locals.data());
      bool waits = false;
      for (std::uint32_t at = 0; at < locals.size(); ++at) {
        const NetworkProcess& process = network_.processes[at];
        if (process.role != Role::client) continue;
        const auto is_here = [&](const auto& edge) { return edge.source == locals[at]; };
        waits =
            waits || std::any_of(process.transitions.begin(), process.transitions.end(), is_here);
        waits = waits || std::any_of(process.impossible.begin(), process.impossible.end(), is_here);
      }
      count += waits ? 1 : 0;
    }
    return count;
  }

  void check_variant(const System& system, const ExactFirstSets& exact, const Variant& variant,
                     Order order) {
    Settings settings;
    settings.variant = variant;
    settings.record = true;
    settings.stop_at_finding = false;
    const std::string who =
        std::string(variant.name) + " (" + std::string(stateful::name(order)) + "): ";
    const Result result = search(system, settings);
    check_result(system, exact, result, who);
    check_explorations(system, exact, result, settings, who);
    for (const unsigned threads : limits_.threads) {
      settings.threads = threads;
      const Result together = search_together(system, settings);
      const std::string they = who + std::to_string(threads) + " threads: ";
      check_result(system, exact, together, they);
      check_counts(result.counts, together.counts, variant, threads, they);
    }
  }

  /// Other orders of nodes: complete graphs, and the same one where nodes have no sleep sets.
  void check_explorations(const System& system, const ExactFirstSets& exact, const Result& in_depth,
                          Settings settings, const std::string& who) {
    for (const Exploration order : {Exploration::breadth_first, Exploration::priority}) {
      if (!settings.variant.reduced || !why_not(settings.variant, order).empty()) continue;
      settings.exploration = order;
      const Result result = search(system, settings);
      const bool in_breadth = order == Exploration::breadth_first;
      const std::string they = who + (in_breadth ? "breadth first: " : "by priority: ");
      check_result(system, exact, result, they);
      ++verdicts_.reordered;
      if (result.counts.nodes != in_depth.counts.nodes) ++verdicts_.reordered_differ;
      if (settings.variant.sleep) continue;
      if (result.counts.nodes != in_depth.counts.nodes ||
          result.counts.states != in_depth.counts.states) {
        wrong(they + "other nodes");
      }
      if (in_breadth && result.deadlock && result.deadlock->size() > in_depth.deadlock->size()) {
        wrong(they + "a longer way to a deadlock");
      }
    }
  }

  void check_result(const System& system, const ExactFirstSets& exact, const Result& result,
                    const std::string& who) {
    ++verdicts_.graphs;
    const std::string defect = certify(system, result.graph, exact);
    if (!defect.empty()) wrong(who + defect);
    if (result.end != End::complete) wrong(who + "is not complete");
    if (result.counts.nodes != result.graph.nodes.size()) wrong(who + "other nodes are recorded");
    std::set<std::vector<Word>> terminal;
    std::set<std::vector<Word>> states;
    for (const Graph::Node& node : result.graph.nodes) {
      std::vector<LocalState> locals(system.processes());
      std::vector<ActionId> enabled;
      system.unpack(node.state.data(), locals.data());
      system.enabled(locals.data(), enabled);
      if (enabled.empty()) terminal.insert(node.state);
      states.insert(node.state);
    }
    if (states.size() != result.counts.states) wrong(who + "states");
    if (terminal.size() != terminal_) wrong(who + "not all terminal states");
    if (result.counts.terminal != terminal_) wrong(who + "terminal states");
    if (result.counts.deadlocks != deadlocks_) wrong(who + "deadlocks");
    if (result.deadlock.has_value() != (deadlocks_ > 0)) wrong(who + "a deadlock is not told");
    check_path(who, result.deadlock);
    check_traces(system, result.graph, who);
  }

  void check_traces(const System& system, const Graph& graph, const std::string& who) {
    Traces traces;
    if (!collect_traces(system, graph, limits_.max_traces * 4, traces)) return;
    // The system's numbering decides the normal form: compare in one numbering.
    Traces same;
    for (const Trace& trace : traces) same.insert(normal_form(system_, trace));
    if (same != traces_) {
      const bool missing = !std::includes(same.begin(), same.end(), traces_.begin(), traces_.end());
      wrong(who + (missing ? "a trace is missing" : "a trace too many"));
    }
  }

  /// What does not depend on the order in which nodes are visited; with one thread, everything.
  void check_counts(const Counts& alone, const Counts& together, const Variant& variant,
                    unsigned threads, const std::string& who) {
    if (!variant.sleep && (alone.nodes != together.nodes || alone.states != together.states)) {
      wrong(who + "other nodes");
    }
    if (!variant.reduced && alone.edges != together.edges) wrong(who + "other edges");
    if (threads > 1) return;
    for (const auto member :
         {&Counts::nodes, &Counts::states, &Counts::edges, &Counts::subsumed, &Counts::skipped,
          &Counts::asleep, &Counts::first_set_tests, &Counts::source_sets, &Counts::work}) {
      if (alone.*member != together.*member) wrong(who + "another order");
    }
  }

  /// A counter-example must be a run, and end in a deadlock.
  void check_path(const std::string& who, const std::optional<std::vector<ActionId>>& path) {
    if (!path) return;
    const std::optional<std::vector<LocalState>> locals = replayed(system_, *path);
    if (!locals) return wrong(who + "a path that is no run");
    std::vector<ActionId> enabled;
    system_.enabled(locals->data(), enabled);
    if (!enabled.empty() || !system_.is_deadlock(locals->data())) {
      wrong(who + "a path that does not end in a deadlock");
    }
  }

  /// A conjunction over two clients is found by every variant if the full search finds it.
  void check_predicate() {
    StatePredicate predicate;
    auto& conjunction = predicate.alternatives.emplace_back();
    for (std::uint32_t process = 0; process < 2; ++process) {
      const std::size_t states = network_.processes[process].states.size();
      std::vector<bool> holds(states, false);
      holds[(seed_ / (process + 1) + process) % states] = true;
      conjunction.push_back({process, std::move(holds)});
    }
    const System observed(with_observer(network_, predicate));
    std::optional<bool> expected;
    for (const Variant& variant : variants()) {
      Settings settings;
      settings.variant = variant;
      settings.stop_at_finding = false;
      settings.predicate = &predicate;
      const Result alone = search(observed, settings);
      if (!expected) expected = alone.reached.has_value();
      check_reached(observed, predicate, alone, *expected, std::string(variant.name));
      for (const unsigned threads : limits_.threads) {
        settings.threads = threads;
        check_reached(observed, predicate, search_together(observed, settings), *expected,
                      std::string(variant.name) + ", " + std::to_string(threads) + " threads");
      }
    }
  }

  /// The observer's numbering of actions is the network's.
  void check_reached(const System& observed, const StatePredicate& predicate, const Result& result,
                     bool expected, const std::string& who) {
    if (result.reached.has_value() != expected) return wrong(who + ": a predicate");
    if (!result.reached) return;
    const std::optional<std::vector<LocalState>> locals = replayed(observed, *result.reached);
    if (!locals || !predicate([&](std::uint32_t process) { return (*locals)[process]; })) {
      wrong(who + ": a path that does not lead to the predicate");
    }
  }

  /// Where a path leads to, if it is a run.
  static std::optional<std::vector<LocalState>> replayed(const System& system,
                                                         const std::vector<ActionId>& path) {
    std::vector<Word> state(system.words());
    std::vector<LocalState> locals(system.processes());
    system.initial(state.data());
    system.unpack(state.data(), locals.data());
    for (const ActionId action : path) {
      if (!system.is_enabled(locals.data(), action)) return std::nullopt;
      std::vector<Word> next(system.words());
      system.step(state.data(), 0, locals.data(), action, next.data());
      state = next;
      system.unpack(state.data(), locals.data());
    }
    return locals;
  }

  void check_file() {
    const std::string text = automata::write_network(network_);
    const Network again = automata::parse_network(text, "written");
    if (automata::write_network(again) != text) wrong("a file written and read is another");
  }

  void check_stateless(const Technique& technique) {
    automata::AutomataProgram program(network_);
    Session session(program, {limits_.max_executions, 0, 10'000, true, 0});
    Traces traces;
    session.on_execution = [&](const Execution& execution) {
      if (execution.ending == Ending::asleep || !program.ended_in_terminal_state()) return;
      traces.insert(normal_form(system_, program.actions()));
    };
    const bool complete = technique.make()->explore(session);
    if (session.divergence()) return wrong(std::string(technique.name) + ": diverged");
    if (!complete) return;
    ++verdicts_.stateless_runs;
    if (traces != traces_) wrong(std::string(technique.name) + ": other traces");
    const bool deadlock = !session.findings().empty();
    if (deadlock != (deadlocks_ > 0)) wrong(std::string(technique.name) + ": deadlocks");
  }

  const Network& network_;
  std::uint64_t seed_;
  const CheckLimits& limits_;
  System system_;
  Verdicts verdicts_;
  Graph full_;
  Traces traces_;
  std::uint64_t deadlocks_ = 0;
  std::uint64_t terminal_ = 0;
};

}  // namespace

Verdicts check_network(const Network& network, std::uint64_t seed, const CheckLimits& limits) {
  return Check(network, seed, limits).run();
}

Network shrunk(Network network, const std::function<bool(const Network&)>& still_wrong) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (std::size_t process = 0; process < network.processes.size(); ++process) {
      for (std::size_t at = 0; at < network.processes[process].transitions.size();) {
        Network candidate = network;
        auto& transitions = candidate.processes[process].transitions;
        const ActionId action = transitions[at].action;
        transitions.erase(transitions.begin() + static_cast<std::ptrdiff_t>(at));
        // Who no longer knows an action would no longer be its participant: then nobody knows it.
        const bool known = std::any_of(transitions.begin(), transitions.end(),
                                       [&](const auto& one) { return one.action == action; });
        if (!known) {
          for (NetworkProcess& other : candidate.processes) {
            std::erase_if(other.transitions, [&](const auto& one) { return one.action == action; });
          }
        }
        if (still_wrong(candidate)) {
          network = std::move(candidate);
          smaller = true;
        } else {
          ++at;
        }
      }
    }
  }
  return network;
}

}  // namespace mazurka::automata_test
