// A story as a part of the JSON document (docs/json.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "report/model/story.hpp"

namespace mazurka::report {

using Json = nlohmann::ordered_json;

[[nodiscard]] Json story_json(const Story& story);

}  // namespace mazurka::report
