// What is drawn of an outcome, apart from the language in which it is written down: the events of a
// finding with what orders them, its messages, and the tree of the search.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "report/model/outcome.hpp"

namespace mazurka::report {

enum class Mark : std::uint8_t { none, failing, fine, given_up };

enum class Bond : std::uint8_t {
  program,  // the next event of the same process
  order,    // happens before: an unlock and the next lock, a start, a join
  reads,    // the value was written there
  race,     // nothing orders these two
  waits,    // in a deadlock: for what the other one holds
  branch,   // of the tree
  message,
};

struct GraphNode {
  std::string text;
  std::size_t lane = 0;  // index into Graph::lanes
  Mark mark = Mark::none;
};
struct GraphEdge {
  std::size_t from = 0;
  std::size_t to = 0;
  Bond bond{};
  std::string text{};
};
struct Graph {
  std::string title;
  std::vector<std::string> lanes;  // processes; none: the nodes are not in lanes
  std::vector<GraphNode> nodes;
  std::vector<GraphEdge> edges;
  std::size_t left_out = 0;  // nodes that would be too many
};

struct ChartMessage {
  std::size_t from = 0;  // indices into MessageChart::lanes
  std::size_t to = 0;
  std::string text;
  bool failing = false;
};
struct MessageChart {
  std::string title;
  std::vector<std::string> lanes;
  std::vector<ChartMessage> messages;
  std::vector<std::string> endings;
};

/// The finding is told as messages.
[[nodiscard]] bool is_chart(const FindingReport& report);
[[nodiscard]] MessageChart chart_of(const FindingReport& report, std::size_t most);
/// At most so many events or nodes.
[[nodiscard]] Graph events_of(const FindingReport& report, std::size_t most);
[[nodiscard]] Graph tree_of(const ExplorationTree& tree, std::size_t most);

}  // namespace mazurka::report
