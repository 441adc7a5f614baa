#include "report/mermaid.hpp"

#include <fmt/format.h>

#include <string_view>

#include "core/check.hpp"
#include "report/graph.hpp"

namespace mazurka::report {

namespace {

// Larger ones are refused by those who draw them: they take 500 edges.
constexpr std::size_t most_events = 120;
constexpr std::size_t most_nodes = 200;

/// Text of the program: what might mean something to Mermaid or Markdown is written as its number,
/// of the one `#58;` and of the other `&#58;`.
std::string harmless(std::string_view text, std::string_view number = "#") {
  constexpr std::string_view plain = " _.,=+-*/()!?";
  std::string out;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (c == '\n') {
      out += "<br/>";
    } else if (letter || code >= 0x80 || plain.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += fmt::format("{}{};", number, code);
    }
  }
  return out;
}

const char* arrow(Bond bond) {
  switch (bond) {
    case Bond::order: return "-.->";
    case Bond::race: return "x--x";
    case Bond::waits: return "==>";
    case Bond::program:
    case Bond::reads:
    case Bond::branch:
    case Bond::message: break;
  }
  return "-->";
}

std::string label_of(const GraphEdge& edge) {
  if (!edge.text.empty()) return harmless(edge.text);
  return edge.bond == Bond::reads ? "read" : "";
}

const char* style(Mark mark) {
  switch (mark) {
    case Mark::failing: return ":::failing";
    case Mark::fine: return ":::fine";
    case Mark::given_up: return ":::vain";
    case Mark::none: break;
  }
  return "";
}

std::string node_line(std::size_t at, const GraphNode& node) {
  const std::string text = node.text.empty() ? " " : harmless(node.text);
  return fmt::format("    n{}[\"{}\"]{}\n", at, text, style(node.mark));
}

std::string drawn(const Graph& graph, const char* direction) {
  std::string out = fmt::format("flowchart {}\n", direction);
  for (std::size_t lane = 0; lane < graph.lanes.size(); ++lane) {
    out += fmt::format("  subgraph p{}[\"{}\"]\n", lane, harmless(graph.lanes[lane]));
    for (std::size_t at = 0; at < graph.nodes.size(); ++at) {
      if (graph.nodes[at].lane == lane) out += node_line(at, graph.nodes[at]);
    }
    out += "  end\n";
  }
  if (graph.lanes.empty()) {
    for (std::size_t at = 0; at < graph.nodes.size(); ++at) out += node_line(at, graph.nodes[at]);
  }
  for (const GraphEdge& edge : graph.edges) {
    const std::string text = label_of(edge);
    out += fmt::format("  n{} {}{} n{}\n", edge.from, arrow(edge.bond),
                       text.empty() ? "" : "|\"" + text + "\"|", edge.to);
  }
  return out +
         "  classDef failing fill:#fdd8d5,stroke:#bd1f1a,color:#111\n"
         "  classDef fine stroke:#0b6e4f\n"
         "  classDef vain stroke-dasharray:4\n";
}

std::string drawn(const MessageChart& chart) {
  std::string out = "sequenceDiagram\n";
  for (std::size_t lane = 0; lane < chart.lanes.size(); ++lane) {
    out += fmt::format("  participant p{} as {}\n", lane, harmless(chart.lanes[lane]));
  }
  for (const ChartMessage& message : chart.messages) {
    MAZURKA_CHECK(message.from < chart.lanes.size() && message.to < chart.lanes.size(),
                  "a message goes from one lane to another");
    out += fmt::format("  p{}->>p{}: {}\n", message.from, message.to, harmless(message.text));
    if (message.failing) out += fmt::format("  Note over p{}: it fails here\n", message.to);
  }
  for (const std::string& ending : chart.endings) {
    out += fmt::format("  Note over p0: {}\n", harmless(ending));
  }
  return out;
}

std::string heading(const std::string& text) { return harmless(text, "&#"); }

/// A heading and a block; text in it that is not from here is harmless.
std::string block(const std::string& title, std::size_t left_out, const std::string& diagram) {
  std::string out = "### " + heading(title) + "\n\n```mermaid\n" + diagram + "```\n\n";
  if (left_out > 0) out += fmt::format("{} more are left out.\n\n", left_out);
  return out;
}

}  // namespace

std::string mermaid(const Outcome& outcome) {
  std::string out = "## " + heading(outcome.program) + ": " + heading(in_words(outcome)) + "\n\n";
  for (const FindingReport& report : outcome.findings) {
    if (is_chart(report)) {
      const MessageChart chart = chart_of(report, most_events);
      const std::size_t left_out = report.story.rows.size() - chart.messages.size();
      out += block(chart.title, left_out, drawn(chart));
    }
    const Graph graph = events_of(report, most_events);
    out += block(graph.title, graph.left_out, drawn(graph, "TB"));
  }
  if (!outcome.tree.empty()) {
    const Graph graph = tree_of(outcome.tree, most_nodes);
    out += block(graph.title, graph.left_out, drawn(graph, "LR"));
  }
  return out;
}

}  // namespace mazurka::report
