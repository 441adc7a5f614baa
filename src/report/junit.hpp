// The outcome as a JUnit report, which most continuous-integration servers show: one test suite
// with one test case, whose failure has the table as its text.
#pragma once

#include <string>

#include "report/model/outcome.hpp"

namespace mazurka::report {

[[nodiscard]] std::string junit(const Outcome& outcome);

}  // namespace mazurka::report
