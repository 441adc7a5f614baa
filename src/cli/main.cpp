// The program: parse the options, prepare the program under test, explore or replay, report.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "cli/automata.hpp"
#include "cli/options.hpp"
#include "cli/suggest.hpp"
#include "core/outcome.hpp"
#include "explorers/registry.hpp"
#include "programs/threads/host/checker.hpp"
#include "programs/threads/host/exploration.hpp"
#include "programs/threads/host/files.hpp"
#include "programs/threads/host/interrupts.hpp"
#include "programs/threads/host/launcher.hpp"
#include "programs/threads/host/schedule_file.hpp"
#include "report/json.hpp"
#include "report/junit.hpp"
#include "report/progress.hpp"
#include "report/sarif.hpp"
#include "report/text.hpp"

namespace mazurka::cli {
namespace {

using threads::InputError;

void print(std::FILE* stream, const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
}

void write_json(const Options& options, const std::string& document) {
  if (options.json.empty()) return;
  if (options.json == "-") {
    print(stdout, document);
  } else {
    threads::write_text(options.json, document);
  }
}

void require_technique(const std::string& text) {
  const TechniqueRequest request = parse_technique(text);
  if (request.error.empty()) return;
  if (request.technique != nullptr) throw InputError(request.error);
  const std::string wanted = text.substr(0, text.find(':'));
  std::vector<std::string_view> names;
  std::string list;
  for (const std::span<const Technique> group :
       {techniques(), partial_techniques(), message_techniques(), persistent_techniques()}) {
    for (const Technique& technique : group) {
      names.push_back(technique.name);
      list += (list.empty() ? "" : ", ") + std::string(technique.name);
    }
  }
  const std::string_view close = nearest(wanted, names);
  throw InputError("there is no technique '" + wanted + "'" +
                   (close.empty() ? "" : "; did you mean " + std::string(close) + "?") +
                   " The techniques are: " + list);
}

/// Says how the run ended, in every form that was asked for.
int report_outcome(const Options& options, const Outcome& outcome) {
  write_json(options, report::json(outcome));
  if (!options.junit.empty()) threads::write_text(options.junit, report::junit(outcome));
  if (!options.sarif.empty()) threads::write_text(options.sarif, report::sarif(outcome));
  if (outcome.verdict == Verdict::error) {
    print(stderr, "mazurka: error: " + outcome.program + ": " + outcome.reason + "\n");
  } else if (options.json != "-") {
    report::Style style = report::detect_style(options.color, stdout);
    style.stacks = options.stacks;
    print(stdout, report::text(outcome, style));
  }
  return static_cast<int>(outcome.verdict);
}

threads::CheckOptions check_options(const Options& options) {
  threads::CheckOptions result;
  result.request.technique = options.technique;
  result.request.usual_technique = options.usual_technique;
  result.request.usual_bound = options.usual_bound;
  result.request.racy = options.racy;
  result.request.limits = options.limits;
  result.request.stall_seconds = options.stall_seconds;
  result.request.measure_replay = options.measure_replay;
  result.request.order = options.order;
  result.request.shorten = options.shorten;
  result.command = options.called_as;
  result.output_to_stderr = options.json == "-";
  result.max_memory = options.max_memory;
  result.request.save_seconds = options.save_seconds;
  if (!options.save.empty()) {
    result.request.save_file = std::filesystem::absolute(options.save).string();
    result.request.must_save = true;
  }
  return result;
}

/// The technique with its options, as the runtime reads it.
std::string technique_of(const Options& options) {
  require_technique(options.technique);
  if (options.alternatives.empty()) return options.technique;
  if (options.technique != "unfolding") {
    throw InputError("--alternatives goes with --technique unfolding, not with " +
                     options.technique);
  }
  const std::string whole = options.technique + ":" + options.alternatives;
  if (!parse_technique(whole).error.empty()) {
    throw InputError("--alternatives is optimal or a number from 1 on, not '" +
                     options.alternatives + "'");
  }
  return whole;
}

/// What was explored, and how, comes from the file; limits and outputs from the command line.
threads::Target resume_target(const Options& options, threads::CheckOptions& how) {
  const threads::SavedExploration saved = threads::load_exploration(options.resume);
  const Limits asked = how.request.limits;
  how.request.technique = saved.request.technique;
  how.request.usual_technique = saved.request.usual_technique;
  how.request.usual_bound = saved.request.usual_bound;
  how.request.racy = saved.request.racy;
  how.request.stall_seconds = saved.request.stall_seconds;
  how.request.limits = saved.request.limits;
  how.request.limits.max_executions = asked.max_executions;
  how.request.limits.max_seconds = asked.max_seconds;
  how.request.resume_file = std::filesystem::absolute(options.resume).string();
  if (how.request.save_file.empty()) how.request.save_file = how.request.resume_file;
  if (!options.extra.empty()) {
    throw InputError("with --resume, '" + options.extra.front() +
                     "' can not be added: what is explored is decided by the file");
  }
  return threads::find_target(saved.program, options.program);
}

void require_saving(const Options& options) {
  if (options.save.empty() || parse_technique(options.technique).make()->resumable()) return;
  throw InputError("the technique '" + options.technique +
                   "' can not save its exploration (--save)");
}

int run_check(const Options& given) {
  using Clock = std::chrono::steady_clock;
  const threads::CountInterrupts counting;
  const Clock::time_point begun = Clock::now();
  Options options = given;
  if (options.resume.empty()) options.technique = technique_of(given);
  threads::CheckOptions how = check_options(options);
  if (options.limits.max_seconds > 0) {
    how.deadline = begun + std::chrono::duration_cast<Clock::duration>(
                               std::chrono::duration<double>(options.limits.max_seconds));
  }
  threads::Target target;
  if (options.resume.empty()) {
    require_saving(options);
    try {
      target = threads::prepare(options.program, options.extra, options.racy, options.compiler,
                                how.deadline);
    } catch (const threads::EndedEarly& why) {
      return report_outcome(options, threads::not_begun(options.program, how, why));
    }
    target.checks = options.checks;
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
  const Outcome outcome = threads::check(target, how);
  line.clear();
  return report_outcome(options, outcome);
}

int run_replay(const Options& options) {
  const threads::ScheduleFile schedule = threads::load_schedule(options.schedule);
  const threads::Target target = threads::find_target(schedule, options.program);
  const threads::CheckOptions how = check_options(options);
  if (!options.gdb) {
    return report_outcome(options, threads::replay(target, schedule, options.schedule, how));
  }
  const threads::DebugCommand command = threads::debug(target, schedule, how);
  if (!options.print_only) command.run();
  print(stdout, command.text() + "\n");
  return 0;
}

int list_techniques() {
  for (const std::span<const Technique> group :
       {techniques(), partial_techniques(), message_techniques(), persistent_techniques()}) {
    for (const Technique& technique : group) {
      std::printf("%-12s %s\n", std::string(technique.name).c_str(),
                  std::string(technique.summary).c_str());
    }
  }
  return 0;
}

int run(const Options& options) {
  switch (options.command) {
    case Command::check: return run_check(options);
    case Command::replay: return run_replay(options);
    case Command::techniques: return list_techniques();
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
  if (const auto done = cli::run_automata(argc, argv)) return *done;
  cli::Options options;
  if (const auto done = cli::parse(argc, argv, options)) return *done;
  try {
    return cli::run(options);
  } catch (const std::exception& error) {
    cli::print(stderr, std::string("mazurka: error: ") + error.what() + "\n");
    try {
      cli::write_json(options, report::json_error(options.program, error.what()));
    } catch (const std::exception&) {
      // The JSON file can not be written; what matters has been said.
    }
    return static_cast<int>(Verdict::error);
  }
}
