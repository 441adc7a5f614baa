#include "report/model/exploration_tree.hpp"

#include <algorithm>
#include <map>

#include "core/check.hpp"

namespace mazurka {

std::uint32_t ExplorationTree::process_named(const std::string& name) {
  const auto known = std::find(processes.begin(), processes.end(), name);
  if (known == processes.end()) {
    processes.push_back(name);
    return static_cast<std::uint32_t>(processes.size() - 1);
  }
  return static_cast<std::uint32_t>(known - processes.begin());
}

std::vector<TreeLine> lines_of(const ExplorationTree& tree) {
  std::map<std::string, TreeLine> lines;
  std::uint64_t all = 0;
  const auto add = [&](const TreeStep& step) {
    const std::string& key = step.place.empty() ? step.action : step.place;
    if (key.empty()) return;
    TreeLine& line = lines[key];
    line.place = step.place;
    line.action = step.action;
    ++line.executions;
    ++all;
  };
  if (tree.whole) {
    std::vector<bool> has_children(tree.nodes.size(), false);
    for (std::size_t at = 1; at < tree.nodes.size(); ++at) {
      const std::uint32_t parent = tree.nodes[at].parent;
      MAZURKA_CHECK(parent < at, "parents come before their children");
      if (has_children[parent]) add(tree.nodes[at].step);
      has_children[parent] = true;
    }
  } else {
    for (const TreeStep& step : tree.parted) add(step);
  }
  std::vector<TreeLine> sorted;
  for (auto& [key, line] : lines) {
    line.share = static_cast<double>(line.executions) / static_cast<double>(all);
    sorted.push_back(std::move(line));
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const TreeLine& one, const TreeLine& other) {
    return one.executions > other.executions;
  });
  return sorted;
}

bool is_consistent(const ExplorationTree& tree) {
  const auto is_node = [&](std::optional<std::size_t> at) {
    return !at || *at < tree.nodes.size();
  };
  const auto is_process = [&](std::uint32_t at) {
    return at < std::max<std::size_t>(tree.processes.size(), 1);
  };
  for (std::size_t at = 0; at < tree.nodes.size(); ++at) {
    const TreeNode& node = tree.nodes[at];
    bool good = (at == 0 ? node.parent == 0 : node.parent < at) && is_process(node.step.process) &&
                is_node(node.before) && is_node(node.after);
    for (const std::uint32_t one : node.explored_at) good = good && is_node(one);
    if (!good) return false;
  }
  return std::all_of(tree.parted.begin(), tree.parted.end(),
                     [&](const TreeStep& step) { return is_process(step.process); });
}

}  // namespace mazurka
