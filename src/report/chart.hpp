// A message sequence chart in text: a lifeline per process, an arrow per message.
#pragma once

#include <string>

#include "report/layout.hpp"
#include "report/model/story.hpp"

namespace mazurka::report {

/// The chart, or nothing if the lifelines do not fit side by side: then a table has to do.
[[nodiscard]] std::string draw_chart(const Story& story, const Style& style);

}  // namespace mazurka::report
