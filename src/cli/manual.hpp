// The manual page and the completions of shells, made from the option table: they can not lag
// behind.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace mazurka::cli {

[[nodiscard]] std::string man_page(const CLI::App& app, const std::string& version);
[[nodiscard]] std::string bash_completion(const CLI::App& app);
[[nodiscard]] std::string zsh_completion(const CLI::App& app);

}  // namespace mazurka::cli
