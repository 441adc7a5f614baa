// The latest execution as a message sequence chart: one lifeline per actor, one arrow per delivery.
#pragma once

#include <string>
#include <vector>

#include "core/finding.hpp"
#include "programs/actors/configuration.hpp"
#include "report/model/story.hpp"

namespace mazurka::actors {

/// `finding`: what the execution leads to; null if it is only shown. `states`: that of the receiver
/// after each delivery.
[[nodiscard]] Story tell(const Configuration& configuration, const Finding* finding,
                         const std::vector<std::string>& states);

}  // namespace mazurka::actors
