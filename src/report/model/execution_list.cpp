#include "report/model/execution_list.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/check.hpp"

namespace mazurka {

namespace {

std::vector<std::uint32_t> way_to(const ExplorationTree& tree, std::uint32_t leaf) {
  std::vector<std::uint32_t> way;
  for (std::uint32_t at = leaf; at != 0; at = tree.nodes[at].parent) {
    MAZURKA_CHECK(tree.nodes[at].parent < at, "parents come before their children");
    way.push_back(at);
  }
  std::reverse(way.begin(), way.end());
  return way;
}

}  // namespace

ExecutionList listed(const ExplorationTree& tree) {
  ExecutionList list;
  if (!tree.whole) return list;
  for (std::size_t at = 0; at < tree.nodes.size(); ++at) {
    const TreeNode& node = tree.nodes[at];
    if (node.end == TreeEnd::none) continue;
    if (is_given_up(node.end)) {
      ++list.given_up;
      continue;
    }
    const auto leaf = static_cast<std::uint32_t>(at);
    list.executions.push_back({node.number, leaf, way_to(tree, leaf)});
  }
  std::sort(list.executions.begin(), list.executions.end(),
            [](const auto& one, const auto& other) { return one.number < other.number; });
  std::map<std::tuple<TreeEnd, bool, std::string>, std::size_t> known;
  for (const ListedExecution& execution : list.executions) {
    const TreeNode& leaf = tree.nodes[execution.leaf];
    const auto [place, is_new] =
        known.try_emplace({leaf.end, leaf.state_known, leaf.state}, list.final_states.size());
    if (is_new) list.final_states.push_back({leaf.state, leaf.state_known, leaf.end, {}});
    list.final_states[place->second].executions.push_back(execution.number);
  }
  return list;
}

}  // namespace mazurka
