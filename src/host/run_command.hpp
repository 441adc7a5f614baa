// A command that is run to its end, unless the user interrupts: the compiler.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mazurka::host {

struct Ended {
  int status = 0;        // what waitpid says
  std::string messages;  // the last of what it has said
};

/// In the folder; its output goes to stderr. Nothing: it was to end before. Throws InputError if it
/// can not be started.
[[nodiscard]] std::optional<Ended> run_command(const std::vector<std::string>& command,
                                               const std::filesystem::path& folder);

}  // namespace mazurka::host
