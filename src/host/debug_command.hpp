// The program under test in a debugger, at the finding that a schedule leads to.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "host/launcher.hpp"

namespace mazurka::host {

/// The environment and files with which a debugger can start the program: a shell command.
struct DebugCommand {
  std::vector<std::string> environment;  // NAME=value
  std::vector<std::string> command;      // gdb and its arguments
  std::filesystem::path request, progress;
  [[nodiscard]] std::string text() const;
  /// Becomes the debugger; returns only by throwing InputError.
  [[noreturn]] void run() const;
};
/// Writes the files into `folder`, named after `name`.
[[nodiscard]] DebugCommand debug_command(const Launch& launch, const std::filesystem::path& folder,
                                         const std::string& name);

}  // namespace mazurka::host
