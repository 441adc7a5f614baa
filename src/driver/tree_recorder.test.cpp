// The tree against the executions themselves, written down one after the other.
#include "driver/tree_recorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "driver/driver.hpp"
#include "driver/writers.test.hpp"
#include "explorers/table.hpp"

namespace mazurka {
namespace {

using Path = std::vector<Decision>;

struct Performed {
  Path path;
  bool vain = false;
  Ending ending{};
};

class Notes final : public Watcher {
 public:
  void performed(const Session&, const Execution& execution) override {
    Performed& one = all.emplace_back();
    for (std::size_t at = 0; at < execution.size(); ++at) {
      one.path.push_back(execution.steps.decision(at));
    }
    one.vain = execution.ending == Ending::asleep;
    one.ending = execution.ending;
  }
  std::vector<Performed> all;
};

struct Explored {
  std::vector<Performed> executions;
  UntoldTree untold;
};

Explored explore(const std::string& technique, Writers& program, TreeLimits limits = {}) {
  Subject subject(program);
  Notes notes;
  TreeRecorder recorder(limits);
  Plan plan;
  plan.technique = technique;
  plan.make = [&] { return find_technique(technique)->make(); };
  plan.limits.keep_going = true;
  plan.tree = &recorder;
  (void)Driver(subject, notes, plan).explore();
  UntoldTree untold = recorder.tree();
  untold.tree.processes.resize(untold.names.size());
  return {notes.all, std::move(untold)};
}

bool begins_with(const Path& path, const Path& beginning) {
  return path.size() >= beginning.size() &&
         std::equal(beginning.begin(), beginning.end(), path.begin());
}

/// The decisions that lead to each node, put together out of the paths.
std::vector<Path> paths_of(const UntoldTree& untold) {
  std::vector<Path> paths(untold.tree.nodes.size());
  for (const TreePath& one : untold.paths) {
    EXPECT_EQ(one.decisions.size(), one.nodes.size());
    for (std::size_t at = 0; at < one.nodes.size(); ++at) {
      if (one.nodes[at] == TreePath::not_wanted) continue;
      EXPECT_TRUE(paths[one.nodes[at]].empty()) << "a node is told twice";
      paths[one.nodes[at]] =
          Path(one.decisions.begin(), one.decisions.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    }
  }
  return paths;
}

void expect_right_counts(const Explored& explored) {
  const std::vector<TreeNode>& nodes = explored.untold.tree.nodes;
  const std::vector<Path> paths = paths_of(explored.untold);
  for (std::size_t at = 0; at < nodes.size(); ++at) {
    std::uint64_t through = 0;
    std::uint64_t vain = 0;
    for (const Performed& one : explored.executions) {
      if (!begins_with(one.path, paths[at])) continue;
      ++through;
      if (one.vain) ++vain;
    }
    EXPECT_EQ(nodes[at].depth, paths[at].size());
    EXPECT_EQ(nodes[at].executions, through);
    EXPECT_EQ(nodes[at].in_vain, vain);
    EXPECT_TRUE(begins_with(paths[at], paths[nodes[at].parent]));
  }
  EXPECT_TRUE(is_consistent(explored.untold.tree));
}

TEST(TreeRecorder, HasEveryExecution) {
  for (const std::string technique : {"optimal", "source", "dpor", "exhaustive", "sleep"}) {
    for (const std::size_t writes : {1U, 2U}) {
      SCOPED_TRACE(technique + ", " + std::to_string(writes));
      Writers program(writes == 1 ? 3 : 2, writes);
      const Explored explored = explore(technique, program);
      ASSERT_TRUE(explored.untold.tree.whole);
      expect_right_counts(explored);
      const std::vector<Path> paths = paths_of(explored.untold);
      std::vector<std::uint64_t> numbers;
      for (std::size_t at = 0; at < paths.size(); ++at) {
        const TreeNode& node = explored.untold.tree.nodes[at];
        if (node.end == TreeEnd::none) continue;
        numbers.push_back(node.number);
        const Performed& performed = explored.executions.at(node.number - 1);
        EXPECT_EQ(performed.path, paths[at]);
        EXPECT_EQ(node.end == TreeEnd::asleep, performed.ending == Ending::asleep);
      }
      std::sort(numbers.begin(), numbers.end());
      EXPECT_TRUE(std::adjacent_find(numbers.begin(), numbers.end()) == numbers.end());
      EXPECT_EQ(numbers.size(), explored.executions.size());
    }
  }
}

TEST(TreeRecorder, ReversedRacesAreOfTwoWriters) {
  Writers program(3);
  const Explored explored = explore("optimal", program);
  const std::vector<TreeNode>& nodes = explored.untold.tree.nodes;
  const std::vector<Path> paths = paths_of(explored.untold);
  std::size_t reversed = 0;
  std::set<std::uint32_t> parents;
  std::size_t later_children = 0;
  for (std::size_t at = 1; at < nodes.size(); ++at) {
    if (!parents.insert(nodes[at].parent).second) ++later_children;
    if (!nodes[at].before) continue;
    ++reversed;
    const Path& before = paths[*nodes[at].before];
    const Path& after = paths[*nodes[at].after];
    EXPECT_NE(before.back().process, after.back().process);
    EXPECT_NE(before.back().process, Run::root());
    EXPECT_TRUE(begins_with(before, paths[at]));
    EXPECT_EQ(nodes[*nodes[at].after].parent, nodes[at].parent);
    EXPECT_LT(*nodes[at].after, at);
  }
  EXPECT_EQ(explored.executions.size(), 6U);
  EXPECT_EQ(reversed, later_children);  // every other order of three writes is a reversed race
  EXPECT_EQ(reversed, 5U);
}

TEST(TreeRecorder, SaysWhereTheRestOfARedundantExecutionIs) {
  Writers program(3);
  const Explored explored = explore("dpor", program);
  const std::vector<TreeNode>& nodes = explored.untold.tree.nodes;
  for (const TreeNode& node : nodes) {
    if (node.end != TreeEnd::asleep) continue;
    EXPECT_FALSE(node.explored_at.empty());
    for (const std::uint32_t at : node.explored_at) EXPECT_LT(nodes[at].depth, node.depth + 1);
  }
}

TEST(TreeRecorder, ASummaryCountsAsExactly) {
  for (const std::string technique : {"optimal", "exhaustive"}) {
    SCOPED_TRACE(technique);
    Writers program(4);
    const TreeLimits limits{.kept = 60, .whole = 50, .summary = 20, .parted = 7};
    const Explored explored = explore(technique, program, limits);
    ASSERT_FALSE(explored.untold.tree.whole);
    EXPECT_LE(explored.untold.tree.nodes.size(), limits.summary);
    EXPECT_GT(explored.untold.tree.nodes.size(), 4U);
    EXPECT_EQ(explored.untold.tree.nodes[0].executions, explored.executions.size());
    expect_right_counts(explored);
    ASSERT_EQ(explored.untold.parted.size(), limits.parted);
    for (const Path& parted : explored.untold.parted) {
      const Path shared(parted.begin(), parted.end() - 1);
      const auto first =
          std::find_if(explored.executions.begin(), explored.executions.end(),
                       [&](const auto& one) { return begins_with(one.path, parted); });
      ASSERT_NE(first, explored.executions.end());
      EXPECT_TRUE(std::any_of(explored.executions.begin(), first,
                              [&](const auto& one) { return begins_with(one.path, shared); }));
    }
  }
}

TEST(TreeRecorder, FindingsAreAtTheirExecutions) {
  Writers program(2);
  program.first_to_fail = 2;
  const Explored explored = explore("optimal", program);
  std::size_t failing = 0;
  for (const TreeNode& node : explored.untold.tree.nodes) {
    if (node.end != TreeEnd::failed) continue;
    ++failing;
    EXPECT_EQ(node.finding, std::optional<std::size_t>(0));
  }
  EXPECT_EQ(failing, 1U);
}

TEST(ExplorationTree, LinesAreThoseWhereExecutionsPart) {
  ExplorationTree tree;
  tree.nodes.resize(5);
  tree.nodes[1].step = {0, "write x", "a.c:1"};
  tree.nodes[2].step = {0, "write x", "a.c:2"};
  tree.nodes[3].step = {0, "write x", "a.c:3"};
  tree.nodes[3].parent = 1;
  tree.nodes[4].step = {0, "write y", "a.c:2"};
  tree.nodes[4].parent = 1;
  const std::vector<TreeLine> lines = lines_of(tree);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].place, "a.c:2");
  EXPECT_EQ(lines[0].executions, 2U);
  EXPECT_DOUBLE_EQ(lines[0].share, 1);
}

}  // namespace
}  // namespace mazurka
