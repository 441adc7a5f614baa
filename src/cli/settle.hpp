// Which options go with each other, with the kind of program and with the technique.
#pragma once

#include <string>

#include "cli/kind.hpp"

namespace mazurka::cli {

struct CommandLine;

/// Fills in what follows from the kind of program (its usual technique, budgets) once the options
/// of `check` have been read. Throws CLI::ValidationError.
void settle(const CommandLine& line, const Kind& kind, Options& options);

/// Throws CLI::ValidationError.
[[noreturn]] void refuse(const std::string& option, const std::string& why);

[[nodiscard]] bool given(const CLI::App& check, std::string_view option);

}  // namespace mazurka::cli
