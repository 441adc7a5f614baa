// A delivery is a step, and a row of the story that is told of it.
#include <algorithm>
#include <map>
#include <string>

#include "programs/actors/check.hpp"

namespace mazurka::actors {

namespace {

TreeStep step_of(const Story& story, std::size_t at, ExplorationTree& tree) {
  const StoryRow& row = story.rows[at];
  const std::string& receiver = story.processes[row.process];
  return {tree.process_named(receiver), row.action, {}};
}

/// What each actor is like that has a form for people: "Stock {0}, Bank {60}".
std::string state_after(const Story& story) {
  std::map<std::size_t, std::string> values;
  for (const StoryRow& row : story.rows) {
    if (row.event.object) values[*row.event.object] = row.event.value;
  }
  std::string text;
  for (const auto& [object, value] : values) {
    text += (text.empty() ? "" : ", ") + story.objects[object].name + " " + value;
  }
  return text;
}

}  // namespace

ExplorationTree told_tree(ActorProgram& program, UntoldTree untold) {
  ExplorationTree& tree = untold.tree;
  for (TreeNode& node : tree.nodes) node.step.process = 0;  // a message, so far
  const auto story_of = [&](const std::vector<Decision>& decisions) {
    return perform(program, decisions, nullptr, decisions.size(), untold.names).story;
  };
  for (const TreePath& path : untold.paths) {
    const Story story = story_of(path.decisions);
    const std::size_t told = std::min(story.rows.size(), path.nodes.size());
    for (std::size_t at = 0; at < told; ++at) {
      if (path.nodes[at] == TreePath::not_wanted) continue;
      tree.nodes[path.nodes[at]].step = step_of(story, at, tree);
    }
    const std::uint32_t last = path.nodes.back();
    if (last != TreePath::not_wanted && tree.nodes[last].end != TreeEnd::asleep) {
      tree.nodes[last].state = state_after(story);
    }
  }
  for (const std::vector<Decision>& decisions : untold.parted) {
    const Story story = story_of(decisions);
    if (story.rows.size() != decisions.size()) continue;
    tree.parted.push_back(step_of(story, story.rows.size() - 1, tree));
  }
  if (tree.processes.empty() && !tree.nodes.empty()) tree.processes.emplace_back("start");
  return std::move(tree);
}

}  // namespace mazurka::actors
