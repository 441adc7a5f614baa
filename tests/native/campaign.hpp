// A sweep: batches of programs are generated, compiled and checked, failures shrunk and shown.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mazurka::native {

struct Options {
  std::uint64_t programs = 1000;
  std::uint64_t seed = 1;
  std::uint64_t first = 0;
  std::uint64_t per_program = 0;
  bool one_way = false;  // with --keep-going or without it, in turn, not both
  std::uint64_t jobs = 1;
  std::uint64_t batch = 48;
  std::uint64_t seconds = 0;
  std::uint64_t max_states = 20'000;
  std::uint64_t max_failures = 10;
  bool counts = true;
  bool shrink = true;
  std::vector<std::string> techniques;
  std::vector<std::string> profiles;
  std::vector<std::string> compilers{"gcc", "clang"};
  std::vector<std::string> levels{"-O0", "-O2", "-O1"};
  std::vector<std::string> languages{"c", "c++"};
  std::filesystem::path tools;
  std::optional<std::uint64_t> print;
};

/// Adds a technique, or those of a family; false: there is none of that name.
bool add_techniques(std::string_view name, std::vector<std::string>& techniques);

/// Prints one program and what the reference says of it.
void show(const Options& options, std::uint64_t number);

/// The exit code.
int sweep(const Options& options, const std::filesystem::path& scratch,
          const std::atomic<bool>& interrupted);

}  // namespace mazurka::native
