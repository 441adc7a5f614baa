// Checks and replays of programs that run in a process of their own: threads and actors.
#pragma once

#include "cli/kind.hpp"

namespace mazurka::cli {

/// Compiles the program, or goes on with a saved exploration, and explores it.
[[nodiscard]] int check_native(const Options& options, const Tell& tell);

/// Performs the schedule once, and shows it or hands it to a debugger.
[[nodiscard]] int replay_native(const Options& options, const Tell& tell);

}  // namespace mazurka::cli
