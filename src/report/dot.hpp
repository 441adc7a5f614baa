// The findings, and the tree of the search, as graphs in the DOT language of Graphviz: one after
// the other in one file.
#pragma once

#include <string>

#include "report/model/outcome.hpp"

namespace mazurka::report {

[[nodiscard]] std::string dot(const Outcome& outcome);

}  // namespace mazurka::report
