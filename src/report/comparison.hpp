// What several techniques took for the same program, as a table.
#pragma once

#include <string>

#include "core/outcome.hpp"
#include "report/layout.hpp"

namespace mazurka::report {

/// Empty if nothing was compared.
[[nodiscard]] std::string comparison_text(const Outcome& outcome, const Style& style);

}  // namespace mazurka::report
