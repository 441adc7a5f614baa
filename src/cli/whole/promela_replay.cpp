#include "cli/whole/promela_replay.hpp"

#include <exception>
#include <filesystem>

#include "cli/whole/promela_check.hpp"
#include "core/shown_text.hpp"
#include "host/files.hpp"
#include "host/schedule_file.hpp"
#include "programs/promela/schedule.hpp"

namespace mazurka::cli {

namespace fs = std::filesystem;

namespace {

std::string replay_command(const Options& options, const std::string& schedule) {
  return options.called_as + " replay " + shell_file(schedule);
}

/// The model that the schedule names, or the one that is given in its place.
fs::path find_model(const host::ScheduleFile& schedule, const std::string& given) {
  const fs::path file =
      given.empty() ? schedule.target.folder / schedule.target.binary : fs::path(given);
  if (host::file_identity(file) != schedule.binary_identity) {
    throw host::InputError(file.string() +
                           " is not the model that the schedule was found in; check it again");
  }
  return file;
}

}  // namespace

void save_promela_schedules(const Options& options, Outcome& outcome) {
  if (outcome.findings.empty()) return;
  host::ScheduleFile schedule;
  schedule.target.shown = options.program;
  schedule.target.binary = options.program;
  schedule.target.folder = fs::current_path();
  for (std::size_t at = 0; at < outcome.findings.size(); ++at) {
    FindingReport& report = outcome.findings[at];
    // Without a step: the initial state is what is wrong. With some, they could not be repeated.
    if (report.finding.schedule.empty() && !report.story.rows.empty()) continue;
    schedule.kind = name(report.finding.kind);
    schedule.message = report.finding.message;
    schedule.decisions = report.finding.schedule;
    try {
      host::identify(schedule);
      report.replay_command = replay_command(options, host::save(schedule, at + 1).string());
    } catch (const std::exception& error) {
      outcome.warnings.push_back("the finding can not be replayed: its schedule " +
                                 std::string(error.what()));
    }
  }
}

int replay_promela(const Options& options, const Tell& tell) {
  if (options.gdb) throw host::InputError("--gdb is for programs; a Promela model is none");
  const host::ScheduleFile schedule = host::load_schedule(options.schedule);
  const fs::path file = find_model(schedule, options.program);
  const promela::Model model = promela::load_model(file.string());
  Outcome outcome;
  outcome.program = schedule.target.shown;
  outcome.technique = "replay";
  try {
    FindingReport report = told_problem(model, promela::follow(model, schedule.decisions));
    report.finding.schedule = schedule.decisions;
    report.replay_command = replay_command(options, options.schedule);
    if (name(report.finding.kind) != schedule.kind) throw NetworkError("it is another one now");
    outcome.findings.push_back(std::move(report));
    outcome.statistics.executions = 1;
    outcome.verdict = Verdict::finding;
    outcome.reason = "the finding is reproduced";
  } catch (const NetworkError& problem) {
    outcome.reason = "the schedule did not lead to the finding again (" + schedule.kind + ": " +
                     schedule.message + "): " + problem.what() +
                     "; a file that the model includes may have changed";
  }
  return tell(outcome);
}

}  // namespace mazurka::cli
