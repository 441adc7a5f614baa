// A command that is run to its end, unless a deadline passes or the user interrupts: the compiler.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mazurka::threads {

using Deadline = std::optional<std::chrono::steady_clock::time_point>;

struct Ended {
  int status = 0;  // what waitpid says
  bool silently = false;
};

/// In the folder; its output goes to stderr. Nothing: it was to end before. Throws InputError if it
/// can not be started.
[[nodiscard]] std::optional<Ended> run_command(const std::vector<std::string>& command,
                                               const std::filesystem::path& folder,
                                               const Deadline& deadline);

}  // namespace mazurka::threads
