#include "report/graph.hpp"

#include <algorithm>
#include <optional>

#include "core/check.hpp"
#include "core/shown_text.hpp"

namespace mazurka::report {

namespace {

constexpr std::size_t longest_text = 80;

std::string brief(const std::string& text) {
  const std::string shown = printable(text);
  if (shown.size() <= longest_text) return shown;
  std::size_t end = longest_text - 3;
  while (end > 0 && (static_cast<unsigned char>(shown[end]) & 0xc0U) == 0x80U) --end;
  return shown.substr(0, end) + "...";
}

std::string title_of(const FindingReport& report) {
  return std::string(name(report.finding.kind)) + ": " + brief(report.finding.message);
}

std::vector<std::string> shown(const std::vector<std::string>& names) {
  std::vector<std::string> result;
  for (const std::string& name : names) result.push_back(brief(name));
  return result;
}

/// The last rows are those that matter: they lead to the failure.
std::size_t first_shown(const Story& story, std::size_t most) {
  return story.rows.size() > most ? story.rows.size() - most : 0;
}

class EventGraph {
 public:
  EventGraph(const Story& story, std::size_t most)
      : story_(story), first_(first_shown(story, most)), last_(story.processes.size()) {
    graph_.left_out = first_;
  }

  Graph draw(bool is_race) {
    graph_.lanes = shown(story_.processes);
    for (std::size_t row = first_; row < story_.rows.size(); ++row) add_row(row);
    if (is_race) join_failing();
    add_stuck();
    return std::move(graph_);
  }

 private:
  void add_row(std::size_t at) {
    const StoryRow& row = story_.rows[at];
    std::string text = brief(row.action);
    if (!row.place.empty()) text += "\n" + brief(row.place);
    add(row.process, std::move(text), row.failing);
    const std::size_t node = graph_.nodes.size() - 1;
    std::vector<std::size_t> before = row.event.after;
    const bool reads = row.read_from && story_.rows[*row.read_from].process != row.process;
    if (reads && story_.layout == StoryLayout::table) {
      bond(*row.read_from, node, Bond::reads);
      std::erase(before, *row.read_from);
    }
    const Bond kind = story_.layout == StoryLayout::chart ? Bond::message : Bond::order;
    for (const std::size_t earlier : before) bond(earlier, node, kind);
  }

  void add(std::size_t process, std::string text, bool failing) {
    const std::size_t node = graph_.nodes.size();
    MAZURKA_CHECK(process < last_.size(), "a row is that of a process of the story");
    graph_.nodes.push_back({std::move(text), process, failing ? Mark::failing : Mark::none});
    if (last_[process]) graph_.edges.push_back({*last_[process], node, Bond::program});
    last_[process] = node;
  }

  void bond(std::size_t row, std::size_t node, Bond kind) {
    MAZURKA_CHECK(node < graph_.nodes.size(), "an edge leads to a node that was drawn");
    if (row >= first_ && row < story_.rows.size()) {
      graph_.edges.push_back({row - first_, node, kind});
    }
  }

  void join_failing() {
    std::vector<std::size_t> failing;
    for (std::size_t at = 0; at < graph_.nodes.size(); ++at) {
      if (graph_.nodes[at].mark == Mark::failing) failing.push_back(at);
    }
    if (failing.size() < 2) return;
    graph_.edges.push_back({failing.front(), failing.back(), Bond::race, "nothing orders these"});
  }

  void add_stuck() {
    std::vector<std::optional<std::size_t>> node_of(story_.processes.size());
    for (const StoryStop& stop : story_.stuck) {
      std::string text = brief(stop.reason);
      if (!stop.place.empty()) text += "\n" + brief(stop.place);
      add(stop.process, std::move(text), true);
      node_of[stop.process] = graph_.nodes.size() - 1;
    }
    for (const StoryStop& stop : story_.stuck) {
      if (!stop.holder || !node_of[*stop.holder]) continue;
      const std::string wanted = stop.object ? brief(story_.objects[*stop.object].name) : "";
      graph_.edges.push_back({*node_of[stop.process], *node_of[*stop.holder], Bond::waits, wanted});
    }
  }

  const Story& story_;
  std::size_t first_;
  std::vector<std::optional<std::size_t>> last_;  // node of each process
  Graph graph_;
};

Mark mark_of(TreeEnd end) {
  switch (end) {
    case TreeEnd::none: return Mark::none;
    case TreeEnd::complete: return Mark::fine;
    case TreeEnd::failed:
    case TreeEnd::deadlock: return Mark::failing;
    default: return Mark::given_up;
  }
}

std::string end_text(const TreeNode& node) {
  if (node.end == TreeEnd::none) return {};
  std::string text = "#" + std::to_string(node.number);
  if (node.end != TreeEnd::complete) text += " " + std::string(name(node.end));
  return node.state.empty() || !node.state_known ? text : text + "\n" + brief(node.state);
}

/// Chains of steps become one edge with the first of them.
class TreeGraph {
 public:
  explicit TreeGraph(const ExplorationTree& tree)
      : tree_(tree), children_(tree.nodes.size(), 0), joint_(tree.nodes.size(), 0) {
    for (std::size_t at = 1; at < tree.nodes.size(); ++at) ++children_[tree.nodes[at].parent];
  }

  Graph draw(std::size_t most) {
    graph_.title = tree_.whole ? "tree of the exploration" : "where most executions part";
    std::vector<const TreeNode*> first(tree_.nodes.size(), nullptr);  // of the chain so far
    std::vector<std::size_t> steps(tree_.nodes.size(), 0);
    for (std::size_t at = 0; at < tree_.nodes.size(); ++at) {
      const TreeNode& node = tree_.nodes[at];
      const std::size_t parent = node.parent;
      MAZURKA_CHECK(at == 0 || parent < at, "parents come before their children");
      const bool fresh = at == 0 || is_joint(parent);
      first[at] = fresh ? &node : first[parent];
      steps[at] = fresh ? 1 : steps[parent] + 1;
      if (!is_joint(at)) {
        joint_[at] = joint_[parent];
        continue;
      }
      if (graph_.nodes.size() >= most || joint_[parent] == nowhere) {
        joint_[at] = nowhere;
        ++graph_.left_out;
        continue;
      }
      const std::size_t above = joint_[parent];
      joint_[at] = graph_.nodes.size();
      graph_.nodes.push_back({node_text(node), 0, mark_of(node.end)});
      if (at > 0) {
        graph_.edges.push_back({above, joint_[at], Bond::branch, edge_text(*first[at], steps[at])});
      }
    }
    return std::move(graph_);
  }

 private:
  static constexpr auto nowhere = static_cast<std::size_t>(-1);

  [[nodiscard]] bool is_joint(std::size_t at) const {
    return at == 0 || !tree_.whole || children_[at] != 1 || tree_.nodes[at].end != TreeEnd::none;
  }
  [[nodiscard]] std::string node_text(const TreeNode& node) const {
    return tree_.whole ? end_text(node) : std::to_string(node.executions);
  }
  [[nodiscard]] std::string edge_text(const TreeNode& first, std::size_t steps) const {
    std::string text = brief(tree_.processes[first.step.process] + " " + first.step.action);
    if (steps > 1) text += " +" + std::to_string(steps - 1);
    return first.before ? text + "\n(race reversed)" : text;
  }

  const ExplorationTree& tree_;
  std::vector<std::size_t> children_;
  std::vector<std::size_t> joint_;  // node of the graph
  Graph graph_;
};

}  // namespace

bool is_chart(const FindingReport& report) { return report.story.layout == StoryLayout::chart; }

MessageChart chart_of(const FindingReport& report, std::size_t most) {
  const Story& story = report.story;
  MessageChart chart;
  chart.title = title_of(report);
  chart.lanes = shown(story.processes);
  for (std::size_t at = first_shown(story, most); at < story.rows.size(); ++at) {
    const StoryRow& row = story.rows[at];
    chart.messages.push_back(
        {row.from.value_or(row.process), row.process, brief(row.action), row.failing});
  }
  chart.endings = shown(story.endings);
  return chart;
}

Graph events_of(const FindingReport& report, std::size_t most) {
  Graph graph = EventGraph(report.story, most).draw(report.finding.kind == FindingKind::data_race);
  graph.title = title_of(report);
  return graph;
}

Graph tree_of(const ExplorationTree& tree, std::size_t most) { return TreeGraph(tree).draw(most); }

}  // namespace mazurka::report
