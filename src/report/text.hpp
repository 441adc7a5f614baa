// The outcome for people: the verdict first, then each finding as a table of who did what.
//
// The table has one column per process. Where that does not fit, cells are wrapped; where even that
// would be unreadable (many processes), the rows become a list.
#pragma once

#include <string>

#include "report/layout.hpp"
#include "report/model/outcome.hpp"

namespace mazurka::report {

/// The verdict and what it rests on, in one line; for an error, what went wrong.
[[nodiscard]] std::string verdict_sentence(const Outcome& outcome, const Style& style);

/// Everything, the verdict sentence first.
[[nodiscard]] std::string text(const Outcome& outcome, const Style& style);

}  // namespace mazurka::report
