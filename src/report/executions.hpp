// All executions of a small search with their final states, as text and as JSON.
#pragma once

#include <string>

#include "report/model/outcome.hpp"
#include "report/story_json.hpp"

namespace mazurka::report {

/// Where there is no list, it says why and what to do.
[[nodiscard]] std::string executions(const Outcome& outcome);

/// Null where there is none.
[[nodiscard]] Json executions_json(const ExplorationTree& tree);

}  // namespace mazurka::report
