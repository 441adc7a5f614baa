// A delivery is a step, and a row of the story that is told of it.
#include <algorithm>
#include <string>
#include <vector>

#include "programs/actors/check.hpp"

namespace mazurka::actors {

namespace {

TreeStep step_of(const Story& story, std::size_t at, ExplorationTree& tree) {
  const StoryRow& row = story.rows[at];
  const std::string& receiver = story.processes[row.process];
  return {tree.process_named(receiver), row.action, {}};
}

/// Every actor that has a form for people, and the messages that nobody has handled: "Bank {60},
/// Stock {0}, waiting: take() for Buffer". Sorted, so that a state reads the same however it was
/// come to.
std::string state_after(const Configuration& now) {
  std::vector<std::string> parts;
  for (const std::uint32_t id : now.population().existing()) {
    const Actor& actor = now.population()[id];
    const std::string value = actor.dead ? "ended" : actor.type->value.show(actor.state, now);
    if (!value.empty() && value != "..." && value != "{}") {
      parts.push_back(now.name_of(id) + " " + value);
    }
  }
  std::sort(parts.begin(), parts.end());
  std::vector<std::string> left;
  for (const Mail& mail : now.mails()) {
    if (mail.delivered) continue;
    left.push_back((now.is_lost(mail) ? "lost: " : "waiting: ") + label(mail, now) + " for " +
                   now.name_of(mail.receiver));
  }
  std::sort(left.begin(), left.end());
  parts.insert(parts.end(), left.begin(), left.end());
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

}  // namespace

ExplorationTree told_tree(ActorProgram& program, UntoldTree untold) {
  ExplorationTree& tree = untold.tree;
  for (TreeNode& node : tree.nodes) node.step.process = 0;  // a message, so far
  const auto perform_path = [&](const std::vector<Decision>& decisions) {
    return perform(program, decisions, nullptr, decisions.size(), untold.names);
  };
  for (const TreePath& path : untold.paths) {
    const Performed performed = perform_path(path.decisions);
    const Story& story = performed.story;
    const std::size_t told = std::min(story.rows.size(), path.nodes.size());
    for (std::size_t at = 0; at < told; ++at) {
      if (path.nodes[at] == TreePath::not_wanted) continue;
      tree.nodes[path.nodes[at]].step = step_of(story, at, tree);
    }
    const std::uint32_t last = path.nodes.back();
    if (last == TreePath::not_wanted || tree.nodes[last].end == TreeEnd::asleep) continue;
    TreeNode& leaf = tree.nodes[last];
    leaf.state = state_after(program.configuration());
    // The search tells of each finding once; every execution that comes to it has failed.
    if (leaf.end == TreeEnd::complete && !performed.findings.empty()) leaf.end = TreeEnd::failed;
  }
  for (const std::vector<Decision>& decisions : untold.parted) {
    const Story story = perform_path(decisions).story;
    if (story.rows.size() != decisions.size()) continue;
    tree.parted.push_back(step_of(story, story.rows.size() - 1, tree));
  }
  if (tree.processes.empty() && !tree.nodes.empty()) tree.processes.emplace_back("start");
  return std::move(tree);
}

}  // namespace mazurka::actors
