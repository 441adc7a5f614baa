// What can be chosen, as JSON: programs, techniques and options, each with its explanation, from
// the tables that the command line is made from.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "studio/folder.hpp"

namespace mazurka::studio {

[[nodiscard]] nlohmann::json menu(const Folder& folder);

/// Why these words are no options that the studio passes on; empty if they are. Files can not be
/// named, and of what goes to the compiler only definitions and the like.
[[nodiscard]] std::string refusal(const std::vector<std::string>& options);

}  // namespace mazurka::studio
