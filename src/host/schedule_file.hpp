// A schedule on disk: the decisions that lead to a finding, and the program they belong to.
//
// The file is JSON. It names the program by its contents, so that a schedule is never performed on
// another program than the one it was found in.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/ids.hpp"
#include "host/compiler.hpp"
#include "host/protocol.hpp"

namespace mazurka::host {

/// A program that is ready to be checked, and how it came to be.
struct Target {
  std::string shown;  // as the user named it
  std::filesystem::path binary;
  std::filesystem::path source;        // empty: the user gave a binary
  std::filesystem::path folder;        // from which the paths and flags are meant; empty: from here
  std::vector<std::string> flags;      // for the compiler
  std::vector<std::string> arguments;  // for the program
  std::string function;                // a call of mazurka::check in it; empty: main
  Compiler compiler = Compiler::gcc;
  bool racy = false;
  Checks checks;
};

struct ScheduleFile {
  Target target;
  std::string binary_identity;
  std::string source_identity;  // empty: the user gave a binary
  std::string kind;             // name of the finding's kind
  std::string message;
  std::vector<Decision> decisions;
};

inline constexpr int schedule_format = 1;

/// Writes the schedule beside the kept binary and returns the file. `number`: the n-th finding.
/// Throws InputError when it can not be written.
[[nodiscard]] std::filesystem::path save(const ScheduleFile& schedule, std::size_t number);

/// Notes which contents the files have now that the schedule names.
void identify(ScheduleFile& schedule);

/// The schedule as text, and back. `shown` is named in the message of the InputError that damaged
/// text causes.
[[nodiscard]] std::string to_text(const ScheduleFile& schedule);
[[nodiscard]] ScheduleFile schedule_from_text(const std::string& text, const std::string& shown);

/// Throws InputError when the file is missing, corrupt or of another version.
[[nodiscard]] ScheduleFile load_schedule(const std::filesystem::path& file);

}  // namespace mazurka::host
