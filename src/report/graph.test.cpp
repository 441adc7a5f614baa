// The graphs of findings and searches, and the two languages in which they are written.
#include "report/graph.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/dot.hpp"
#include "report/mermaid.hpp"
#include "report/sample_outcome.hpp"

namespace mazurka::report {
namespace {

std::size_t count(const Graph& graph, Bond bond) {
  return static_cast<std::size_t>(
      std::count_if(graph.edges.begin(), graph.edges.end(),
                    [&](const GraphEdge& edge) { return edge.bond == bond; }));
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

TEST(Graph, HasTheRacingPairAndWhatIsRead) {
  const FindingReport report = sample_outcome().findings[0];
  const Graph graph = events_of(report, 100);
  EXPECT_EQ(graph.lanes.size(), 3U);
  EXPECT_EQ(graph.nodes.size(), 3U);
  EXPECT_EQ(count(graph, Bond::race), 1U);
  EXPECT_EQ(count(graph, Bond::reads), 1U);
  EXPECT_EQ(count(graph, Bond::program), 0U);  // one event each
}

TEST(Graph, HasTheCircleOfADeadlock) {
  FindingReport report = sample_outcome().findings[0];
  report.finding.kind = FindingKind::deadlock;
  report.story.objects = {{"a", ObjectType::mutex}, {"b", ObjectType::mutex}};
  report.story.stuck.resize(2);
  report.story.stuck[0] = {1, "waits for b", "x.c:1", {}, 1, 2, 0};
  report.story.stuck[1] = {2, "waits for a", "x.c:2", {}, 0, 1, 0};
  const Graph graph = events_of(report, 100);
  ASSERT_EQ(count(graph, Bond::waits), 2U);
  const GraphEdge& last = graph.edges.back();
  EXPECT_EQ(graph.nodes[last.from].lane, 2U);
  EXPECT_EQ(graph.nodes[last.to].lane, 1U);
  EXPECT_EQ(last.text, "a");
  EXPECT_EQ(count(graph, Bond::program), 2U);
}

TEST(Graph, KeepsTheEndOfALongStory) {
  FindingReport report = sample_outcome().findings[0];
  const StoryRow row = report.story.rows[1];
  report.story.rows.insert(report.story.rows.begin(), 50, row);
  const Graph graph = events_of(report, 10);
  EXPECT_EQ(graph.nodes.size(), 10U);
  EXPECT_EQ(graph.left_out, 43U);
  EXPECT_EQ(graph.nodes.back().mark, Mark::failing);
  for (const GraphEdge& edge : graph.edges) {
    EXPECT_LT(edge.from, graph.nodes.size());
    EXPECT_LT(edge.to, graph.nodes.size());
  }
}

ExplorationTree small_tree() {
  ExplorationTree tree;
  tree.processes = {"main", "T1"};
  tree.nodes.resize(5);
  for (std::uint32_t at = 1; at < 4; ++at) {  // a chain of three, and another end of its middle
    tree.nodes[at].parent = at - 1;
    tree.nodes[at].step = {at % 2, "step " + std::to_string(at), ""};
  }
  tree.nodes[3].end = TreeEnd::complete;
  tree.nodes[4].parent = 2;
  tree.nodes[4].step = {1, "step 4", ""};
  tree.nodes[4].end = TreeEnd::asleep;
  tree.nodes[4].before = 4;
  tree.nodes[4].after = 3;
  return tree;
}

TEST(Graph, ATreeHasChainsAsOneEdge) {
  const Graph graph = tree_of(small_tree(), 100);
  ASSERT_EQ(graph.nodes.size(), 4U);  // the root, where they part, two ends
  ASSERT_EQ(graph.edges.size(), 3U);
  EXPECT_EQ(graph.edges[0].text, "T1 step 1 +1");
  EXPECT_EQ(graph.nodes[3].mark, Mark::given_up);
  EXPECT_NE(graph.edges[2].text.find("race reversed"), std::string::npos);
  EXPECT_EQ(tree_of(small_tree(), 2).left_out, 2U);
}

TEST(Dot, WritesEveryNodeAndEdge) {
  Outcome outcome = sample_outcome();
  outcome.tree = small_tree();
  const std::string text = dot(outcome);
  EXPECT_EQ(occurrences(text, "digraph "), 2U);
  EXPECT_EQ(occurrences(text, " -> "), 2U + 3U);
  EXPECT_EQ(occurrences(text, "subgraph cluster_"), 3U);
}

TEST(Dot, TextOfTheProgramStaysText) {
  Outcome outcome = sample_outcome();
  outcome.findings[0].story.rows[0].action = "a\"]; } digraph evil {\\";
  const std::string text = dot(outcome);
  EXPECT_NE(text.find("a\\\"]; } digraph evil {\\\\"), std::string::npos) << text;
}

TEST(Mermaid, DrawsAChartOfMessages) {
  Outcome outcome = sample_outcome();
  Story& story = outcome.findings[0].story;
  story.layout = StoryLayout::chart;
  story.rows[2].from = 1;
  const std::string text = mermaid(outcome);
  EXPECT_EQ(occurrences(text, "sequenceDiagram"), 1U);
  EXPECT_EQ(occurrences(text, "->>"), 3U);
  EXPECT_NE(text.find("p1->>p2: write balance = 50"), std::string::npos) << text;
}

TEST(Mermaid, TextOfTheProgramStaysText) {
  Outcome outcome = sample_outcome();
  outcome.findings[0].story.rows[0].action = "<script>\"```\n; end %% #";
  const std::string text = mermaid(outcome);
  EXPECT_EQ(text.find("<script"), std::string::npos);
  EXPECT_EQ(occurrences(text, "```"), 2U);
  EXPECT_EQ(text.find("%%"), std::string::npos);
}

}  // namespace
}  // namespace mazurka::report
