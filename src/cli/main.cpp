// The program: parse the options, prepare the program under test, explore or replay, report.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cli/automata.hpp"
#include "cli/help.hpp"
#include "cli/kinds.hpp"
#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "core/outcome.hpp"
#include "core/shown_text.hpp"
#include "explorers/table.hpp"
#include "programs/threads/host/checker.hpp"
#include "programs/threads/host/exploration.hpp"
#include "programs/threads/host/files.hpp"
#include "programs/threads/host/interrupts.hpp"
#include "programs/threads/host/launcher.hpp"
#include "programs/threads/host/named_program.hpp"
#include "programs/threads/host/ownership.hpp"
#include "programs/threads/host/save_place.hpp"
#include "programs/threads/host/schedule_file.hpp"
#include "programs/threads/host/suppressions.hpp"
#include "report/progress.hpp"
#include "report/text.hpp"

namespace mazurka::cli {
namespace {

using threads::InputError;

void print(std::FILE* stream, const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
}

Outputs outputs_of(const Options& options) {
  return {options.reports, {options.program, options.resume, options.schedule}};
}

/// The program as reports name it.
std::string shown_program(const Options& options) {
  return !options.program.empty()  ? options.program
         : !options.resume.empty() ? options.resume
                                   : options.schedule;
}

/// Says how the run ended, in every form that was asked for.
int report_outcome(const Options& options, const Outcome& outcome) {
  report::Style style = report::detect_style(options.color, stdout);
  style.stacks = options.stacks;
  style.all_rows = options.all_rows;
  return deliver(outputs_of(options), outcome, style);
}

/// A file that may come from anywhere decides what is run: then the user is told.
void tell_what_runs(const threads::Target& target, const std::string& file) {
  say("note", shell_file(file) + " runs " + threads::command_of(target));
}

threads::CheckOptions check_options(const Options& options) {
  threads::CheckOptions result;
  result.request.technique = options.technique;
  result.request.technique_is_default = options.technique_is_default;
  result.request.bound_is_default = options.bound_is_default;
  result.request.racy = options.racy;
  result.request.limits = options.limits;
  result.request.stall_seconds = options.stall_seconds;
  result.request.measure_replay = options.measure_replay;
  result.request.order = options.order;
  result.request.shorten = options.shorten;
  result.command = options.called_as;
  result.output_to_stderr = prints_a_report(outputs_of(options));
  result.max_memory = options.max_memory;
  result.request.save_seconds = options.save_seconds;
  if (!options.save.empty()) {
    result.request.save_file = std::filesystem::absolute(options.save).string();
    result.request.must_save = true;
  }
  return result;
}

/// What was explored, and how, comes from the file; limits and outputs from the command line.
threads::Target resume_target(const Options& options, threads::CheckOptions& how) {
  const threads::SavedExploration saved = threads::load_exploration(options.resume);
  const Limits asked = how.request.limits;
  how.request.technique = saved.request.technique;
  how.request.technique_is_default = saved.request.technique_is_default;
  how.request.bound_is_default = saved.request.bound_is_default;
  how.request.racy = saved.request.racy;
  how.request.stall_seconds = saved.request.stall_seconds;
  how.request.limits = saved.request.limits;
  how.request.limits.max_executions = asked.max_executions;
  how.request.limits.max_seconds = asked.max_seconds;
  how.request.resume_file = std::filesystem::absolute(options.resume).string();
  if (how.request.save_file.empty()) how.request.save_file = how.request.resume_file;
  const threads::Target target = threads::find_target(saved.program, options.program);
  if (options.program.empty()) tell_what_runs(target, options.resume);
  return target;
}

void require_saving(const Options& options) {
  if (options.save.empty() || parse_technique(options.technique).make()->resumable()) return;
  throw InputError("the technique '" + options.technique +
                   "' can not save its exploration (--save)");
}

int run_check(const Options& options) {
  using Clock = std::chrono::steady_clock;
  announce(outputs_of(options), shown_program(options));
  if (is_network(options.program)) {
    return check_network(options,
                         [&](const Outcome& outcome) { return report_outcome(options, outcome); });
  }
  const threads::CountInterrupts counting;
  const Clock::time_point begun = Clock::now();
  threads::CheckOptions how = check_options(options);
  if (options.limits.max_seconds > 0) {
    how.deadline = begun + std::chrono::duration_cast<Clock::duration>(
                               std::chrono::duration<double>(options.limits.max_seconds));
  }
  threads::Target target;
  threads::SuppressionList accepted;
  if (options.resume.empty()) {
    require_saving(options);
    // Tried before the program is compiled; it is held from when the search begins.
    if (!options.save.empty()) (void)threads::SavePlace::chosen(options.save);
    (void)threads::work_folder();
    try {
      target = threads::prepare(options.program, options.extra, options.racy, options.compiler,
                                how.deadline);
    } catch (const threads::EndedEarly& why) {
      const Outcome outcome = threads::not_begun(options.program, how, why);
      return report_outcome(options, outcome);
    }
    target.checks = options.checks;
    for (const std::string& one : options.suppress) threads::add_suppression(one, accepted);
    for (const std::string& file : options.suppressions) {
      threads::add_suppressions_of(file, accepted);
    }
    target.checks.suppressions = accepted.suppressions;
    target.function = options.check;
  } else {
    target = resume_target(options, how);
  }

  report::ProgressLine line(options.progress, stderr);
  const Clock::time_point started = Clock::now();
  how.on_progress = [&](const threads::Progress& progress) {
    const std::chrono::duration<double> passed = Clock::now() - started;
    line.update({progress.executions, progress.asleep, progress.events, progress.depth,
                 progress.explored, progress.at_least, passed.count()});
  };
  Outcome outcome = threads::check(target, how);
  outcome.notes.insert(outcome.notes.end(), accepted.notes.begin(), accepted.notes.end());
  line.clear();
  return report_outcome(options, outcome);
}

int run_replay(const Options& options) {
  announce(outputs_of(options), shown_program(options));
  const threads::ScheduleFile schedule = threads::load_schedule(options.schedule);
  const threads::Target target = threads::find_target(schedule, options.program);
  if (options.program.empty()) tell_what_runs(target, options.schedule);
  const threads::CheckOptions how = check_options(options);
  if (!options.gdb) {
    const Outcome outcome = threads::replay(target, schedule, options.schedule, how);
    return report_outcome(options, outcome);
  }
  const threads::DebugCommand command = threads::debug(target, schedule, how);
  if (!options.print_only) command.run();
  print(stdout, command.text() + "\n");
  return 0;
}

int list_techniques(bool names_only) {
  if (!names_only) {
    print(stdout, techniques_text());
    return 0;
  }
  for (const Technique& technique : techniques()) {
    print(stdout, std::string(technique.name) + "\n");
  }
  return 0;
}

int run(const Options& options) {
  switch (options.command) {
    case Command::check: return run_check(options);
    case Command::replay: return run_replay(options);
    case Command::techniques: return list_techniques(options.names_only);
    case Command::generate: return generate_network(options.written);
    case Command::convert: return convert_network(options.written);
    case Command::version: std::printf("mazurka %s\n", MAZURKA_VERSION); return 0;
  }
  return 2;
}

}  // namespace
}  // namespace mazurka::cli

int main(int argc, char** argv) {
  using namespace mazurka;
  // Whoever reads our output may have seen enough (`| head`). Nothing is said then, reports are
  // written nevertheless, and the exit code stays that of the verdict.
  std::signal(SIGPIPE, SIG_IGN);
  cli::Options options;
  std::string mistake;
  if (const auto done = cli::parse(argc, argv, options, &mistake)) {
    if (!mistake.empty()) {
      cli::deliver_error(cli::outputs_in(argc, argv), options.program, mistake);
    }
    return *done;
  }
  try {
    return cli::run(options);
  } catch (const std::exception& error) {
    cli::say("error", error.what());
    cli::deliver_error(cli::outputs_of(options), cli::shown_program(options), error.what());
    return static_cast<int>(Verdict::error);
  }
}
