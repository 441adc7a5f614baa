// The options of every command, bound to the Options that they fill in.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/declare.hpp"
#include "cli/options.hpp"

namespace mazurka::cli {

struct CommandLine {
  explicit CommandLine(Options& options);
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  CLI::App app;
  Declared declared;
  CLI::App* check;
  CLI::App* replay;
  CLI::App* techniques;
  CLI::App* generate;
  CLI::App* convert;
  CLI::App* studio;
  CLI::App* work;
  CLI::App* status;
  CLI::App* cancel;
  CLI::App* manual;
  std::string form;  // of the manual
};

}  // namespace mazurka::cli
