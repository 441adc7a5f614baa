#include "report/tree_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/check.hpp"

namespace mazurka::report {

namespace {

/// Only what there is to say: most nodes have little of it.
Json node_json(const TreeNode& node) {
  Json result{{"parent", node.parent},
              {"depth", node.depth},
              {"process", node.step.process},
              {"action", node.step.action},
              {"executions", node.executions}};
  if (!node.step.place.empty()) result["place"] = node.step.place;
  if (node.in_vain > 0) result["in_vain"] = node.in_vain;
  if (node.before && node.after) result["reversed"] = {*node.before, *node.after};
  if (node.end == TreeEnd::none) return result;
  result["end"] = name(node.end);
  result["number"] = node.number;
  if (node.finding) result["finding"] = *node.finding;
  if (!node.state_known) {
    result["state"] = nullptr;
  } else if (!node.state.empty()) {
    result["state"] = node.state;
  }
  if (!node.explored_at.empty()) result["explored_at"] = node.explored_at;
  return result;
}

}  // namespace

Json tree_json(const ExplorationTree& tree) {
  if (tree.empty()) return nullptr;
  Json nodes = Json::array();
  for (const TreeNode& node : tree.nodes) nodes.push_back(node_json(node));
  Json lines = Json::array();
  double shares = 0;
  for (const TreeLine& line : lines_of(tree)) {
    shares += line.share;
    lines.push_back({{"place", line.place},
                     {"action", line.action},
                     {"executions", line.executions},
                     {"share", line.share}});
  }
  MAZURKA_CHECK(lines.empty() || std::abs(shares - 1) < 1e-6, "shares add up to the whole");
  return {{"whole", tree.whole},
          {"processes", tree.processes},
          {"nodes", nodes},
          {"lines", lines},
          {"sampled", tree.whole ? Json(nullptr) : Json(tree.parted.size())}};
}

}  // namespace mazurka::report
