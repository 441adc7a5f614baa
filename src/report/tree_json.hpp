// The tree of a search as JSON (docs/json.md).
#pragma once

#include "report/model/exploration_tree.hpp"
#include "report/story_json.hpp"

namespace mazurka::report {

/// Null if there is none.
[[nodiscard]] Json tree_json(const ExplorationTree& tree);

}  // namespace mazurka::report
