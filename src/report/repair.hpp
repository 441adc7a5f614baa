// Which memory orders would exclude a finding, in words and as a part of the JSON document.
#pragma once

#include <string>

#include "report/layout.hpp"
#include "report/model/repair.hpp"
#include "report/story_json.hpp"

namespace mazurka::report {

/// Empty if nobody has asked for it.
[[nodiscard]] std::string repair_text(const Repair& repair, const Style& style);
/// The first line of it, without what is changed.
[[nodiscard]] std::string repair_sentence(const Repair& repair);
[[nodiscard]] Json repair_json(const Repair& repair);

}  // namespace mazurka::report
