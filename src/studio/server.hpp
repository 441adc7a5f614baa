// The studio as a server: the page, and what it asks for. docs/studio.md says what it is for.
#pragma once

#include <filesystem>
#include <string>

namespace mazurka::studio {

struct Settings {
  std::filesystem::path folder = ".";
  std::filesystem::path mazurka;  // the program that checks
  int port = 0;                   // 0: any that is free
  std::size_t most_runs = 2;      // at one time
};

/// Until it is interrupted. Returns the exit code.
int serve(const Settings& settings);

}  // namespace mazurka::studio
