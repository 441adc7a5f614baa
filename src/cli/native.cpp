#include "cli/native.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <thread>

#include "cli/kind.hpp"
#include "cli/outputs.hpp"
#include "cli/parts.hpp"
#include "core/check.hpp"
#include "core/shown_text.hpp"
#include "explorers/table.hpp"
#include "host/exploration.hpp"
#include "host/files.hpp"
#include "host/interrupts.hpp"
#include "host/launcher.hpp"
#include "host/named_program.hpp"
#include "host/ownership.hpp"
#include "host/save_place.hpp"
#include "host/schedule_file.hpp"
#include "host/sent_files.hpp"
#include "programs/threads/host/checker.hpp"
#include "programs/threads/host/suppressions.hpp"
#include "report/progress.hpp"

namespace mazurka::cli {

namespace {

using Clock = std::chrono::steady_clock;

/// A file that may come from anywhere decides what is run: then the user is told.
void tell_what_runs(const host::Target& target, const std::string& file) {
  say("note", shell_file(file) + " runs " + host::command_of(target));
}

/// The executions since `shown` of them were shown, as far as they are still known.
std::vector<report::Snapshot::Execution> latest_of(const host::Progress& progress,
                                                   std::uint64_t& shown) {
  constexpr std::uint64_t most = host::Progress::most_latest / 2;  // the others may change now
  const std::uint64_t begun = progress.begun.load(std::memory_order_acquire);
  std::vector<report::Snapshot::Execution> latest;
  shown = std::max(std::min(shown, begun), begun - std::min(begun, most));
  MAZURKA_CHECK(begun - shown <= most, "only executions that stay as they are are shown");
  for (; shown < begun; ++shown) {
    const auto& one = progress.latest[shown % host::Progress::most_latest];
    latest.push_back({one.shared, one.events, name(one.ending.load())});
  }
  return latest;
}

/// Null: the program is not named here, but in a schedule.
bool can_be_saved(const Kind* kind) {
  if (kind == nullptr || kind->refuses == nullptr) return true;
  const std::span<const Refusal> refused = kind->refuses();
  return std::none_of(refused.begin(), refused.end(),
                      [](const Refusal& one) { return one.option == "--save"; });
}

/// As many as there are cores where nothing was said, if the search can be divided. What is told of
/// each execution is told by one process.
threads::Processes processes_of(const Options& options, const std::string& technique) {
  if (options.jobs != 0) return {.most = options.jobs, .slice = options.slice};
  const Technique* const known = parse_technique(technique).technique;
  const bool told = options.tree || options.measure_replay || !options.measure_tasks.empty() ||
                    !options.certificate.empty();
  if (known == nullptr || !known->divisible || told) return {};
  return {.most = std::max(1U, std::thread::hardware_concurrency()), .at_once = false};
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
  if (!options.measure_tasks.empty()) {
    result.request.task_log = std::filesystem::absolute(options.measure_tasks).string();
  }
  if (!options.certificate.empty()) {
    result.request.certificate = std::filesystem::absolute(options.certificate).string();
    threads::begin_certificate(result.request);
  }
  result.request.checkpoints = options.checkpoints;
  result.request.order = options.order;
  result.request.shorten = options.shorten;
  result.repair = options.repair;
  result.request.tree = options.tree;
  result.command = options.called_as;
  result.schedules_before = options.schedules_before;
  result.output_to_stderr = prints_a_report(outputs_of(options));
  result.max_memory = options.max_memory;
  result.jobs = processes_of(options, options.technique);
  result.save = can_be_saved(options.kind);
  result.request.save_seconds = options.save_seconds;
  if (!options.save.empty()) {
    result.request.save_file = std::filesystem::absolute(options.save).string();
    result.request.must_save = true;
  }
  return result;
}

/// What was explored, and how, comes from the file; limits and outputs from the command line.
host::Target resume_target(const Options& options, threads::CheckOptions& how) {
  const host::SavedExploration saved = host::load_exploration(options.resume);
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
  how.jobs = processes_of(options, saved.request.technique);
  if (options.jobs > 1 && !parse_technique(saved.request.technique).technique->divisible) {
    throw host::InputError(options.resume +
                           " can not be divided (--jobs): it is explored with "
                           "technique " +
                           saved.request.technique + ", not with reverse");
  }
  const host::Target target = host::find_target(saved.program, options.program);
  if (options.program.empty()) tell_what_runs(target, options.resume);
  return target;
}

void require_saving(const Options& options) {
  if (options.save.empty() || parse_technique(options.technique).make()->resumable()) return;
  throw host::InputError(
      fmt::format("the technique '{}' can not save its exploration (--save)", options.technique));
}

/// What programs of CAF are told: words with commas between them.
std::string rules_of(const Options& options) {
  std::vector<std::string> words;
  if (!options.caf.channels.empty()) words.push_back(options.caf.channels);
  if (!options.caf.timeouts.empty()) words.push_back(options.caf.timeouts);
  for (const std::string& what : options.caf.allow) words.push_back("allow-" + what);
  if (options.caf.left) words.emplace_back("forbid-left");
  return fmt::format("{}", fmt::join(words, ","));
}

/// Compiled, with all that the command line says of it. Throws EndedEarly.
host::Target new_target(const Options& options, threads::SuppressionList& accepted) {
  require_saving(options);
  // Tried before the program is compiled; it is held from when the search begins.
  if (!options.save.empty()) (void)host::SavePlace::chosen(options.save);
  (void)host::work_folder();
  std::vector<std::string> extra = options.extra;
  if (!options.caf.kind.empty() && host::is_source(options.program)) {
    extra.emplace_back(host::flag_for_caf);
  }
  const bool of_caf = !options.caf.kind.empty() || host::uses_caf(options.program);
  if (of_caf && !options.checks.races && host::is_source(options.program)) {
    extra.emplace_back(host::flag_without_races);
  }
  if (options.checks.ranks > 0 && host::is_source(options.program)) {
    extra.emplace_back(host::flag_for_mpi);
  }
  if (options.checks.uninitialised && host::is_source(options.program)) {
    extra.emplace_back(host::flag_for_patterns);
  }
  host::Target target = threads::prepare(options.program, extra, options.racy, options.compiler);
  target.checks = options.checks;
  if (of_caf) target.checks.races = true;  // the program knows how it was compiled, and says so
  target.checks.rules = rules_of(options);
  for (const std::string& one : options.suppress) threads::add_suppression(one, accepted);
  for (const std::string& file : options.suppressions) {
    threads::add_suppressions_of(file, accepted);
  }
  target.checks.suppressions = accepted.suppressions;
  target.function = options.check;
  return target;
}

}  // namespace

int check_native(const Options& options, const Tell& tell) {
  const host::CountInterrupts counting;
  const Clock::time_point begun = Clock::now();
  threads::CheckOptions how = check_options(options);
  threads::SuppressionList accepted;
  host::Target target;
  try {
    target = options.resume.empty() ? new_target(options, accepted) : resume_target(options, how);
  } catch (const host::EndedEarly& why) {
    return tell(threads::not_begun(shown_program(options), how, why));
  }
  // From now on: the search has that time, however long its program took to be compiled.
  if (options.limits.max_seconds > 0) {
    how.deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                      std::chrono::duration<double>(options.limits.max_seconds));
  }

  report::ProgressLine line(options.progress, stderr);
  const Clock::time_point started = Clock::now();
  std::uint64_t shown = 0;
  std::string stage;
  how.on_stage = [&](const std::string& text) { stage = text; };
  how.on_progress = [&](const host::Progress& progress) {
    const std::chrono::duration<double> passed = Clock::now() - started;
    line.update({progress.executions, progress.asleep, progress.events, progress.depth,
                 progress.explored, progress.at_least, passed.count(), latest_of(progress, shown),
                 stage});
  };
  std::unique_ptr<host::Elsewhere> elsewhere;
  MAZURKA_CHECK(options.elsewhere.empty() || parts() != nullptr, "a cluster is asked by the whole");
  if (!options.elsewhere.empty()) elsewhere = parts()->make_elsewhere(options);
  how.elsewhere = elsewhere.get();
  Outcome outcome = threads::check(target, how);
  outcome.seconds_before = std::chrono::duration<double>(started - begun).count();
  outcome.notes.insert(outcome.notes.end(), accepted.notes.begin(), accepted.notes.end());
  line.clear();
  return tell(outcome);
}

int replay_native(const Options& options, const Tell& tell) {
  const host::ScheduleFile schedule = host::load_schedule(options.schedule);
  const host::Target target = host::find_target(schedule, options.program);
  if (options.program.empty()) tell_what_runs(target, options.schedule);
  const threads::CheckOptions how = check_options(options);
  if (!options.gdb) return tell(threads::replay(target, schedule, options.schedule, how));
  const host::DebugCommand command = threads::debug(target, schedule, how);
  if (!options.print_only) command.run();
  print(stdout, command.text() + "\n");
  return 0;
}

}  // namespace mazurka::cli
