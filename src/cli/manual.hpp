// The manual page and the completions of shells, made from the option table: they can not lag
// behind.
#pragma once

#include <string>

namespace mazurka::cli {

struct CommandLine;

[[nodiscard]] std::string man_page(const CommandLine& line, const std::string& version);
[[nodiscard]] std::string bash_completion(const CommandLine& line);
[[nodiscard]] std::string zsh_completion(const CommandLine& line);

}  // namespace mazurka::cli
