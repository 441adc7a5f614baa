#include "report/dot.hpp"

#include <fmt/format.h>

#include "core/check.hpp"
#include "report/graph.hpp"

namespace mazurka::report {

namespace {

constexpr std::size_t most_events = 400;
constexpr std::size_t most_nodes = 2000;

/// A text in quotes; lines stay lines.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

const char* look(Mark mark) {
  switch (mark) {
    case Mark::failing: return ", style=filled, fillcolor=\"#fdd8d5\", color=\"#bd1f1a\"";
    case Mark::fine: return ", color=\"#0b6e4f\"";
    case Mark::given_up: return ", style=dashed";
    case Mark::none: break;
  }
  return "";
}

const char* look(Bond bond) {
  switch (bond) {
    case Bond::program: return "weight=10";
    case Bond::order: return "style=dashed, constraint=true";
    case Bond::reads: return "color=\"#3a62d8\"";
    case Bond::race: return "color=\"#bd1f1a\", style=dotted, dir=none, constraint=false";
    case Bond::waits: return "color=\"#bd1f1a\", constraint=false";
    case Bond::branch: return "";
    case Bond::message: return "style=bold";
  }
  return "";
}

std::string node_line(std::size_t at, const GraphNode& node) {
  return fmt::format("    n{} [label={}{}];\n", at, quoted(node.text), look(node.mark));
}

void add_lanes(const Graph& graph, std::string& out) {
  for (std::size_t lane = 0; lane < graph.lanes.size(); ++lane) {
    out +=
        fmt::format("  subgraph cluster_{} {{\n    label={};\n", lane, quoted(graph.lanes[lane]));
    for (std::size_t at = 0; at < graph.nodes.size(); ++at) {
      if (graph.nodes[at].lane == lane) out += node_line(at, graph.nodes[at]);
    }
    out += "  }\n";
  }
}

std::string drawn(const Graph& graph, const std::string& name, const char* direction) {
  std::string title = graph.title;
  if (graph.left_out > 0) title += fmt::format(" ({} left out)", graph.left_out);
  std::string out = fmt::format(
      "digraph {} {{\n  label={};\n  labelloc=t;\n  rankdir={};\n"
      "  node [shape=box, fontname=\"monospace\", fontsize=10];\n"
      "  edge [fontname=\"monospace\", fontsize=9];\n",
      name, quoted(title), direction);
  if (graph.lanes.empty()) {
    for (std::size_t at = 0; at < graph.nodes.size(); ++at) out += node_line(at, graph.nodes[at]);
  } else {
    add_lanes(graph, out);
  }
  for (const GraphEdge& edge : graph.edges) {
    MAZURKA_CHECK(edge.from < graph.nodes.size() && edge.to < graph.nodes.size(),
                  "an edge is between nodes of the graph");
    const std::string style = look(edge.bond);
    // Who waits says itself for what, and the labels of a circle would lie upon each other.
    const bool told = edge.text.empty() || edge.bond == Bond::waits;
    const std::string text = told ? "" : "label=" + quoted(edge.text);
    const char* comma = style.empty() || text.empty() ? "" : ", ";
    out += fmt::format("  n{} -> n{} [{}{}{}];\n", edge.from, edge.to, style, comma, text);
  }
  return out + "}\n";
}

}  // namespace

std::string dot(const Outcome& outcome) {
  std::string out = "// " + in_words(outcome) + "\n";
  for (std::size_t at = 0; at < outcome.findings.size(); ++at) {
    out += drawn(events_of(outcome.findings[at], most_events), fmt::format("finding_{}", at + 1),
                 "TB");
  }
  if (!outcome.tree.empty()) out += drawn(tree_of(outcome.tree, most_nodes), "exploration", "LR");
  return out;
}

}  // namespace mazurka::report
