// The findings as SARIF 2.1.0, which code hosts and editors show beside the source. The failing
// execution is a code flow: one location per row of the table, in order.
#pragma once

#include <string>

#include "report/model/outcome.hpp"

namespace mazurka::report {

[[nodiscard]] std::string sarif(const Outcome& outcome);

}  // namespace mazurka::report
