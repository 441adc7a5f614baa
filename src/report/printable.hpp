// An outcome whose texts can be shown anywhere (core/shown_text.hpp).
#pragma once

#include "report/model/outcome.hpp"

namespace mazurka::report {

/// Everything that stems from the program or from files is one line without commands to a terminal.
[[nodiscard]] Outcome printable_outcome(Outcome outcome);

}  // namespace mazurka::report
