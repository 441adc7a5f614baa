// What a report says of a rank that waits for ever: for whom it waits, and what nearly is what it
// waits for.
#pragma once

#include <string>

#include "programs/mpi/world.hpp"

namespace mazurka::mpi {

/// The one process that could let this one go on; no_process if it is none, or not one.
[[nodiscard]] ProcessId waited_for(const World& world, ProcessId process);

/// Messages or receives that differ from what the process waits for, in words; may be empty.
[[nodiscard]] std::string near_misses(const World& world, ProcessId process);

}  // namespace mazurka::mpi
