// The findings, and the tree of the search, as Mermaid diagrams: a Markdown text that can be put
// into an issue.
#pragma once

#include <string>

#include "report/model/outcome.hpp"

namespace mazurka::report {

[[nodiscard]] std::string mermaid(const Outcome& outcome);

}  // namespace mazurka::report
