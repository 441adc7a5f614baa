// The options of every command, bound to the Options that they fill in.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/options.hpp"

namespace mazurka::cli {

struct CommandLine {
  explicit CommandLine(Options& options);
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  CLI::App app;
  CLI::App* check;
  CLI::App* replay;
  CLI::App* techniques;
  CLI::App* generate;
  CLI::App* convert;
  CLI::App* manual;
  std::string form;  // of the manual
};

/// The values that an option or argument accepts, where they are words of a list; else nothing.
[[nodiscard]] std::vector<std::string> known_values(const CLI::Option& option);

}  // namespace mazurka::cli
