// The latest execution as a message sequence chart: one lifeline per actor, one arrow per delivery.
#pragma once

#include "core/finding.hpp"
#include "programs/caf/caf_program.hpp"
#include "report/model/story.hpp"

namespace mazurka::caf {

/// `finding`: what the execution leads to; null if it is only shown.
[[nodiscard]] Story tell(const CafProgram::Told& told, const Finding* finding);

}  // namespace mazurka::caf
