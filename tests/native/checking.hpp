// Programs compiled and checked by the real thing, and what it says of them against the reference.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "native/printer.hpp"
#include "native/program.hpp"
#include "native/reference.hpp"

namespace mazurka::native {

/// How a file of programs is compiled.
struct Build {
  Language language = Language::c;
  std::string compiler = "gcc";  // or clang
  std::string level = "-O0";     // "": the compiler's default
  bool debug_information = true;
};

/// How a program is checked.
struct Way {
  std::string technique = "optimal";
  bool keep_going = true;
  std::optional<std::string> wanted;  // the only final state that is to be a finding
  std::uint64_t seed = 0;
  unsigned slice = 0;  // executions of one of two processes in one go; 0: one process does it all
  std::string checkpoints = "on";
};

/// What the checker said.
struct Seen {
  int exit_code = 0;
  std::string verdict;  // as in the JSON report; empty: there was none
  std::string reason;
  std::set<std::string> texts;  // of failed assertions
  std::set<std::string> kinds;  // of all findings
  std::set<std::vector<int>> deadlocks;
  std::uint64_t executions = 0;
  std::uint64_t asleep = 0;
  std::string memory;  // the model; of weaker ones than sc a behaviour may be explored twice
  bool cut = false;
};

enum class Judgement : std::uint8_t { right, wrong, inconclusive };

struct Opinion {
  Judgement judgement = Judgement::right;
  std::string why;
};

class Checking final {
 public:
  /// `tools`: where mazurka and mazurka-cc are; `scratch`: a folder of our own.
  Checking(std::filesystem::path tools, std::filesystem::path scratch, unsigned max_seconds);

  /// Compiles the programs into one binary; the text of the compiler if it fails.
  std::optional<std::string> compile(std::span<const Program> programs, const Build& build,
                                     const std::string& name) const;
  [[nodiscard]] Seen check(const Program& program, const std::string& name, std::size_t number,
                           const Way& way) const;
  /// The command that check runs.
  [[nodiscard]] std::vector<std::string> command(const Program& program, const std::string& binary,
                                                 std::size_t number, const Way& way) const;
  [[nodiscard]] const std::filesystem::path& scratch() const { return scratch_; }

 private:
  std::filesystem::path tools_;
  std::filesystem::path scratch_;
  unsigned max_seconds_;
};

Opinion judge(const Program& program, const Expected& expected, const Way& way, const Seen& seen);

}  // namespace mazurka::native
