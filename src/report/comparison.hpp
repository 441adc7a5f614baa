// What several techniques took for the same program, as a table.
#pragma once

#include <string>

#include "report/layout.hpp"
#include "report/model/outcome.hpp"

namespace mazurka::report {

/// Empty if nothing was compared.
[[nodiscard]] std::string comparison_text(const Outcome& outcome, const Style& style);

}  // namespace mazurka::report
