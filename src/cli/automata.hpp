// Networks of automata on the command line: generate, convert, and check FILE.tck.
#pragma once

#include <optional>

namespace mazurka::cli {

/// Does what was asked if it is about automata: the exit code, or nothing if it is not. A `check`
/// is if its first file is a network: its name ends in .tck.
[[nodiscard]] std::optional<int> run_automata(int argc, const char* const* argv);

}  // namespace mazurka::cli
