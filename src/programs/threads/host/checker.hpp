// One check of a program, from the target to the outcome that report/ writes down.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "host/debug_command.hpp"
#include "host/elsewhere.hpp"
#include "host/jobs.hpp"
#include "host/launcher.hpp"
#include "host/protocol.hpp"
#include "host/schedule_file.hpp"
#include "report/model/outcome.hpp"

namespace mazurka::threads {
using namespace host;

struct CheckOptions {
  Request request;
  std::string command = "mazurka";  // how the user calls us, for the replay command
  bool output_to_stderr = false;
  std::size_t schedules_before = 0;  // that have been written, of other explorations of the program
  std::uint64_t max_memory = 0;      // bytes; 0: no limit
  std::optional<std::chrono::steady_clock::time_point> deadline;  // --max-time
  Processes jobs;                                                 // that explore
  Elsewhere* elsewhere = nullptr;  // who has it explored; null: processes of our own
  bool save = true;                // the exploration, to request.save_file or where it usually is
  bool repair = false;             // look for stronger memory orders that exclude what is found
  std::function<void(const Progress&)> on_progress;
  std::function<void(const std::string&)> on_stage;  // what the progress is of, if not the search
};

/// Compiles a source file, or verifies that a binary can be checked. `extra`: flags for the
/// compiler, or arguments for the program. Throws EndedEarly when the user interrupts before it is
/// compiled.
[[nodiscard]] Target prepare(const std::filesystem::path& program,
                             const std::vector<std::string>& extra, bool racy, Compiler compiler);

/// The outcome of a check that ended before its program could be started.
[[nodiscard]] Outcome not_begun(const std::filesystem::path& program, const CheckOptions& options,
                                const EndedEarly& why);

/// Explores the program; every finding gets a schedule file.
[[nodiscard]] Outcome check(const Target& target, const CheckOptions& options);

/// Performs the schedule once. The verdict is `finding` when it fails again in the same way, else
/// `error`.
[[nodiscard]] Outcome replay(const Target& target, const ScheduleFile& schedule,
                             const std::filesystem::path& file, const CheckOptions& options);

/// How a debugger performs the schedule.
[[nodiscard]] DebugCommand debug(const Target& target, const ScheduleFile& schedule,
                                 const CheckOptions& options);

}  // namespace mazurka::threads
