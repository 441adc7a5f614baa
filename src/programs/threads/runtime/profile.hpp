// What makes a search large, for one that was cut.
//
// Some random walks of the survey are written down in full: which lines of the program make the
// most events and the most branches, how often a process comes there, and where one tries again and
// again in vain before it gives up or blocks. Such a loop that counts its tries is another loop
// with each count, so nothing can be left out of it.
#pragma once

#include "driver/sample.hpp"
#include "driver/survey.hpp"
#include "host/protocol.hpp"
#include "programs/threads/runtime/runtime.hpp"

namespace mazurka::threads {
using namespace host;

/// What was found out, in so many seconds.
[[nodiscard]] RawProfile profile_of(Runtime& program, Survey& survey, double seconds);

/// Of executions of the search itself, for one in which walks are of no use. What branches it has
/// is not known then.
[[nodiscard]] RawProfile profile_of(Runtime& program, Sample& sample);

}  // namespace mazurka::threads
