#include "explorers/stateful/graph.hpp"

#include <utility>

#include "core/check.hpp"

namespace mazurka::stateful {

namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

bool has_enabled(const System& system, const Graph::Node& node, std::vector<LocalState>& locals,
                 std::vector<ActionId>& enabled) {
  system.unpack(node.state.data(), locals.data());
  system.enabled(locals.data(), enabled);
  return !enabled.empty();
}

}  // namespace

PathCounts count_paths(const System& system, const Graph& graph) {
  std::vector<PathCounts> counts(graph.nodes.size());
  std::vector<bool> entered(graph.nodes.size(), false);
  std::vector<std::pair<NodeId, std::size_t>> path;
  std::vector<LocalState> locals(system.processes());
  std::vector<ActionId> enabled;
  if (graph.nodes.empty()) return {};
  path.emplace_back(0, 0);
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
    PathCounts& sum = counts[node];
    bool leaf = true;
    for (const Graph::Edge& edge : edges) {
      if (edge.target == no_node) continue;
      leaf = false;
      MAZURKA_CHECK(edge.target < counts.size(), "an edge leads to a node");
      sum.maximal += counts[edge.target].maximal;
      sum.to_an_end += counts[edge.target].to_an_end;
    }
    if (leaf) {
      sum.maximal = 1;
      sum.to_an_end = has_enabled(system, graph.nodes[node], locals, enabled) ? 0 : 1;
    }
    path.pop_back();
  }
  return counts[0];
}

std::string to_dot(const System& system, const Network& network, const Graph& graph) {
  std::string text = "digraph " + quoted(network.name) + " {\n  node [shape=box];\n";
  std::vector<LocalState> locals(system.processes());
  for (std::size_t id = 0; id < graph.nodes.size(); ++id) {
    const Graph::Node& node = graph.nodes[id];
    system.unpack(node.state.data(), locals.data());
    std::string label;
    for (std::size_t process = 0; process < locals.size(); ++process) {
      label += (process == 0 ? "" : " ") + network.processes[process].states[locals[process]];
    }
    if (!node.asleep.empty()) {
      label += "\nasleep:";
      for (const ActionId action : node.asleep) {
        label += ' ' + network.actions[system.original(action)];
      }
    }
    text += "  n" + std::to_string(id) + " [label=" + quoted(label) + "];\n";
    for (const Graph::Edge& edge : node.edges) {
      if (edge.target == no_node) continue;
      text += "  n" + std::to_string(id) + " -> n" + std::to_string(edge.target) +
              " [label=" + quoted(network.actions[system.original(edge.action)]) + "];\n";
    }
  }
  return text + "}\n";
}

}  // namespace mazurka::stateful
