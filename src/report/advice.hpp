// What makes a search too large and what would help, in words.
#pragma once

#include <string>

#include "report/layout.hpp"
#include "report/model/outcome.hpp"

namespace mazurka::report {

/// Empty if the outcome has no advice.
[[nodiscard]] std::string advice_text(const Outcome& outcome, const Style& style);

/// "complete in 0.30 s: 420 executions, no finding"
[[nodiscard]] std::string in_words(const Trial& trial);

/// "12,000", "3.1 million", "2 * 10^12"
[[nodiscard]] std::string roughly(double number);

}  // namespace mazurka::report
