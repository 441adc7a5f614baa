#include "host/named_program.hpp"

#include <system_error>

#include "core/shown_text.hpp"
#include "host/files.hpp"
#include "host/flags.hpp"
#include "host/ownership.hpp"

namespace mazurka::host {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const std::string& program, const std::string& why) {
  throw InputError("the schedule belongs to another program: " + program + " " + why +
                   "; check it again for a new schedule");
}

bool is_near(const fs::path& file) { return lies_in(file, ".") || lies_in(file, work_folder()); }

std::string why_not_run(const fs::path& file) {
  if (!is_near(file)) return "lies outside of the current folder";
  return why_foreign(file);
}

/// `file`: named by the schedule alone.
void require_own(const fs::path& file) {
  const std::string why = why_not_run(file);
  if (why.empty()) return;
  throw InputError("the schedule names the program " + file.string() + ", which " + why +
                   ": a schedule from somebody else could name anything; if it is what you want to "
                   "run, name the program on the command line as well");
}

/// Relative paths are meant from where the check was made, or from here if all has been moved.
fs::path locate(const fs::path& path, const fs::path& folder, const std::string& identity) {
  if (path.empty() || path.is_absolute() || folder.empty()) return path;
  std::error_code ignored;
  const auto is_it = [&](const fs::path& file) {
    return fs::is_regular_file(file, ignored) && file_identity(file) == identity;
  };
  const fs::path there = folder / path;
  if (is_it(path)) return path;
  return is_it(there) || !fs::exists(path, ignored) ? there : path;
}

/// From the same folder, by the same name: both are written into the binary.
fs::path compile_again(const ScheduleFile& schedule, const fs::path& source, bool given) {
  const Target& target = schedule.target;
  std::error_code ignored;
  if (!fs::exists(source, ignored)) throw InputError(source.string() + ": no such file");
  if (!given) require_own(source);
  Compilation compilation{source, target.flags, target.racy, target.compiler, {}};
  const fs::path as_before = target.folder / target.source;
  if (!target.folder.empty() && fs::equivalent(as_before, source, ignored) && !ignored) {
    compilation.source = target.source;
    compilation.folder = target.folder;
  }
  const std::string wrong = why_refused(target.flags, fs::absolute(compilation.folder));
  if (!wrong.empty()) {
    throw InputError("the schedule's program has to be compiled again, and of its flags " + wrong +
                     "; check the program again with these flags for a new schedule");
  }
  return compile(compilation);
}

}  // namespace

Target find_target(const ScheduleFile& schedule, const fs::path& given) {
  Target target = schedule.target;
  std::error_code ignored;
  if (!given.empty() && !is_source(given)) {
    require_checkable(given);
    if (file_identity(given) != schedule.binary_identity) refuse(given.string(), "differs from it");
    target.binary = given;
    return target;
  }
  fs::path source = locate(target.source, target.folder, schedule.source_identity);
  if (!given.empty()) {
    if (file_identity(given) != schedule.source_identity) refuse(given.string(), "differs from it");
    source = target.source = fs::absolute(given);
  }
  if (!source.empty() && fs::exists(source, ignored) &&
      file_identity(source) != schedule.source_identity) {
    refuse(source.string(), "has changed since");
  }
  target.binary = locate(target.binary, target.folder, schedule.binary_identity);
  const bool kept = fs::exists(target.binary, ignored);
  if (!kept && source.empty()) throw InputError(target.binary.string() + ": no such file");
  if (!kept || (!given.empty() && !why_not_run(target.binary).empty())) {
    target.binary = compile_again(schedule, source, !given.empty());
  } else {
    require_own(target.binary);
  }
  require_checkable(target.binary);
  if (file_identity(target.binary) != schedule.binary_identity) {
    refuse(target.binary.string(), "has changed since (or the compiler or a header has)");
  }
  if (target.folder != fs::current_path()) target.binary = fs::absolute(target.binary);
  return target;
}

std::string command_of(const Target& target) {
  std::string command = shell_file(target.binary.string());
  for (const std::string& argument : target.arguments) command += " " + shell_word(argument);
  return command;
}

std::string program_to_name(const Target& target) {
  return is_near(target.binary) ? "" : " " + shell_file(target.binary.string());
}

}  // namespace mazurka::host
