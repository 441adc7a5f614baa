#include "programs/threads/host/checker.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <random>

#include "core/shown_text.hpp"
#include "explorers/table.hpp"
#include "host/confirmation.hpp"
#include "host/exploration.hpp"
#include "host/files.hpp"
#include "host/interrupts.hpp"
#include "host/launcher.hpp"
#include "host/named_program.hpp"
#include "host/ownership.hpp"
#include "host/processor_time.hpp"
#include "host/save_place.hpp"
#include "host/supervisor.hpp"
#include "host/system_calls.hpp"
#include "programs/threads/host/advice.hpp"
#include "programs/threads/host/foreign_code.hpp"
#include "programs/threads/host/machine_code.hpp"
#include "programs/threads/host/repair.hpp"
#include "programs/threads/host/storyteller.hpp"
#include "programs/threads/host/suppressions.hpp"
#include "programs/threads/host/symbols.hpp"
#include "programs/threads/host/tree_words.hpp"
#include "programs/threads/host/unseen_types.hpp"
#include "programs/threads/host/verdict.hpp"

namespace mazurka::threads {
using namespace host;
namespace {

// A run whose time is less than so many times what trials need has none for them.
constexpr double most_reserved = 5;

Launch make_launch(const Target& target, const CheckOptions& options, Task task) {
  Launch launch;
  // A name without a folder would be searched for in PATH by some, and not by exec.
  launch.binary = target.binary.has_parent_path() ? target.binary : "." / target.binary;
  launch.arguments = target.arguments;
  launch.request = options.request;
  launch.request.racy = target.racy;
  launch.request.checks = target.checks;
  launch.request.check = target.function;
  MemoryModel& memory = launch.request.checks.memory;
  const Technique& technique = technique_of(options.request.technique);
  if (memory == MemoryModel::automatic && (target.racy || !technique.weak_memory)) {
    memory = MemoryModel::sc;
  }
  // A schedule says itself of what kind of technique its steps are.
  if (task == Task::explore) launch.request.checks.graphs = technique.needs == Needs::graphs;
  launch.request.unseen = unseen_accesses(launch.binary.string());
  launch.request.task = task;
  launch.output_to_stderr = options.output_to_stderr;
  launch.on_progress = options.on_progress;
  launch.max_memory = options.max_memory;
  launch.request.filter_key = std::random_device()() | std::uint64_t{std::random_device()()} << 32U;
  launch.request.filter = make_filter(launch.request.filter_key);
  if (asks(target.checks)) {
    const auto judge = std::make_shared<RaceJudge>(target.checks.suppressions);
    launch.on_race = [judge](const RaceQuestion& question) { return judge->judge(question); };
  }
  launch.on_uses = compare_uses();
  launch.deadline = options.deadline;
  return launch;
}
Outcome make_outcome(const Target& target, const Request& request) {
  Outcome outcome;
  outcome.program = target.function.empty() ? target.shown : target.function;
  outcome.technique = request.technique;
  outcome.racy = target.racy;
  return outcome;
}

std::string summary_of(const RawShortened& shortened) {
  if (!shortened.done) return {};
  std::string text = plural(shortened.switches, "context switch");
  if (shortened.switches != 1) text = std::to_string(shortened.switches) + " context switches";
  text += shortened.fewest ? ": no schedule with fewer fails in this way"
                           : "; whether fewer would do is not known";
  if (shortened.always_fails) text += "; every execution of the program fails";
  return text;
}

/// The story as the front-end tells it itself, or out of its raw events.
Story told(const Symbols& symbols, const RawFinding& raw, const RawStory& story, Finding& finding) {
  if (!raw.told.empty()) return raw.told.front();
  Story result = Storyteller(symbols, story).tell(&finding, raw.shortened.no_return);
  result.summary = summary_of(raw.shortened);
  if (raw.shortened.done) result.switches = raw.shortened.switches;
  result.fewest = raw.shortened.done && raw.shortened.fewest;
  return result;
}

/// A search that was cut can go on later; one that came to its end needs no file.
void settle_saved(const Request& request, const Target& target, const CheckOptions& options,
                  Outcome& outcome) {
  if (request.save_file.empty()) return;
  std::error_code ignored;
  std::filesystem::remove(request.save_file + ".new", ignored);  // of a process that was killed
  const bool ours = request.save_file == request.resume_file || saved_by(request);
  if (!ours) return;
  if (outcome.verdict != Verdict::inconclusive) {
    std::filesystem::remove(request.save_file, ignored);
  } else if (std::filesystem::exists(request.save_file, ignored)) {
    outcome.resume_command = options.command + " check --resume " +
                             shell_file(shown_path(request.save_file)) + program_to_name(target);
  }
}

/// A finding without its table is a finding still.
FindingReport reported(const Symbols& symbols, const RawFinding& raw, const RawStory& story,
                       Outcome& outcome) {
  FindingReport report;
  report.finding = raw.finding;
  try {
    report.story = told(symbols, raw, story, report.finding);
  } catch (const std::exception& error) {
    report.finding = raw.finding;
    outcome.warnings.push_back("what led to the finding can not be told: " +
                               std::string(error.what()));
  }
  return report;
}

/// A schedule for every finding. One that can not be written costs the file, not the finding.
void save_schedules(ScheduleFile schedule, const CheckOptions& options, Outcome& outcome) {
  for (std::size_t i = 0; i < outcome.findings.size(); ++i) {
    FindingReport& report = outcome.findings[i];
    schedule.kind = name(report.finding.kind);
    schedule.message = report.finding.message;
    schedule.decisions = report.finding.schedule;
    try {
      report.replay_command =
          options.command + " replay " +
          shell_file(save(schedule, options.schedules_before + i + 1).string()) +
          program_to_name(schedule.target);
    } catch (const std::exception& error) {
      outcome.warnings.push_back("the finding can not be replayed: its schedule " +
                                 std::string(error.what()));
    }
  }
}

/// What did not come again is no finding, but nothing is verified either: the checker is at fault.
void report_lost(const std::vector<Confirmation::Lost>& lost, Outcome& outcome) {
  if (lost.empty()) return;
  std::string what = lost.front().message;
  if (lost.size() > 1) what += ", and " + plural(lost.size() - 1, "other");
  const std::string text =
      "internal error: not reproduced: " + what +
      "\n"
      "  its schedule, performed again in a process of its own, led to " +
      lost.front().instead +
      "\n"
      "  an earlier execution has left something behind that is not put back (the state of a "
      "library or of the kernel), or the steps of the program are not what the search took them "
      "for; please report it, with the program";
  if (outcome.verdict == Verdict::finding) {
    outcome.notes.push_back(text);
  } else if (outcome.verdict != Verdict::error) {
    outcome.verdict = Verdict::error;
    outcome.reason = text;
  }
}

/// `lost`: some findings are not told, so that their numbers are others.
void add_tree(const Symbols& symbols, const RawTree& raw, bool lost, Outcome& outcome) {
  outcome.tree = told_tree(symbols, raw);
  for (TreeNode& node : outcome.tree.nodes) {
    if (lost || node.finding.value_or(0) >= outcome.findings.size()) node.finding.reset();
  }
}

/// Takes the reply's findings over that come again, and says what was seen.
void take_over(const Launch& launch, Reply& reply, Outcome& outcome) {
  const Confirmation confirmation = confirm(watching_hidden_code(launch, reply), reply);
  const Symbols symbols(reply.modules);
  judge(reply, launch.request, symbols, outcome);
  outcome.notes.insert(outcome.notes.end(), confirmation.notes.begin(), confirmation.notes.end());
  for (const RawFinding& raw : reply.findings) {
    outcome.findings.push_back(reported(symbols, raw, raw.story, outcome));
  }
  add_tree(symbols, reply.tree, !confirmation.lost.empty(), outcome);
  add_grounds(launch.request, reply, outcome);
  report_lost(confirmation.lost, outcome);
  if (outcome.verdict == Verdict::inconclusive) {
    outcome.advice = advice_of(reply, launch.request, symbols);
  }
}

/// The search was cut, and not by the user: tries for a moment what may do better.
void try_what_may_help(const Launch& launch, const LaunchResult& result, Outcome& outcome) {
  if (outcome.advice.empty() || result.by_user || result.reply.stopped == Stop::cut) return;
  if (launch.request.checks.graphs) return;  // to other techniques steps are something else
  double seconds = seconds_for_trials(result.seconds);
  if (launch.deadline) {
    const std::chrono::duration<double> left = *launch.deadline - std::chrono::steady_clock::now();
    seconds = std::min(seconds, left.count());
  }
  Trials trials = try_options(launch, seconds);
  outcome.advice.trials = std::move(trials.all);
  if (!trials.found) return;
  const std::string cut = outcome.reason;
  Outcome found;
  take_over(launch, *trials.found, found);
  if (found.verdict != Verdict::finding) return;
  outcome.verdict = Verdict::finding;
  outcome.reason = found.reason;
  outcome.findings = std::move(found.findings);
  outcome.notes.push_back("the search did not come to it (" + cut + "): it was found by trying " +
                          trials.found_by + " for a moment afterwards");
}

/// The process that explores was told to stop, and does not know why.
void say_what_ended_it(const LaunchResult& result, Outcome& outcome) {
  if (outcome.verdict != Verdict::inconclusive) return;
  const bool killed = result.fate == Fate::unresponsive;
  const bool asked = result.fate != Fate::replied || result.reply.stopped == Stop::interrupted;
  if (result.by_memory) {
    outcome.reason = "--max-memory is reached";
  } else if (asked && result.by_user) {
    outcome.reason = interrupted_in_words();
    if (killed) outcome.reason += "; the program had to be killed";
  } else if (asked && result.by_time) {
    outcome.reason = "--max-time is over";
    if (killed) outcome.reason += "; " + why_killed(result);
  }
}

void repair_orders(const Launch& launch, const Reply& reply, const CheckOptions& options,
                   Outcome& outcome) {
  if (!options.repair || outcome.verdict != Verdict::finding) return;
  outcome.repair = repair(launch, reply, [&](std::uint64_t number) {
    if (options.on_stage) options.on_stage("repair, candidate " + std::to_string(number));
  });
}

void refuse_error(const Target& target, const Reply& reply) {
  if (reply.error.empty()) return;
  std::string text = target.shown + ": ";
  if (reply.refused_call >= 0) {
    text += "the system call `" + system_call_name(reply.refused_call) + "` is not supported: ";
  }
  const Symbols symbols(reply.modules);
  if (const std::string object = name_of(symbols, reply.refused_object); !object.empty()) {
    throw InputError(text + reply.error + ": " + object);
  }
  const std::string at = place_of(symbols, reply.refused_at);
  throw InputError(text + reply.error + (at.empty() ? "" : ", in " + at));
}

}  // namespace

Target prepare(const std::filesystem::path& program, const std::vector<std::string>& extra,
               bool racy, Compiler compiler) {
  Target target;
  target.shown = program.string();
  target.racy = racy;
  target.compiler = compiler;
  target.folder = std::filesystem::current_path();
  if (is_source(program)) {
    target.source = program;
    target.flags = extra;
    target.binary = compile({program, extra, racy, compiler, {}});
  } else {
    target.binary = program;
    target.arguments = extra;
  }
  require_checkable(target.binary);
  return target;
}

Outcome not_begun(const std::filesystem::path& program, const CheckOptions& options,
                  const EndedEarly& why) {
  Outcome outcome;
  outcome.program = program.string();
  outcome.technique = options.request.technique;
  outcome.racy = options.request.racy;
  outcome.verdict = Verdict::inconclusive;
  outcome.reason = why.what();
  return outcome;
}

Outcome check(const Target& target, const CheckOptions& options) {
  Launch launch = make_launch(target, options, Task::explore);
  ScheduleFile program;
  program.target = target;
  identify(program);  // now: what is run, not what lies there in the end
  std::optional<SavePlace> place;
  if (options.save && options.elsewhere == nullptr) {
    const std::string& chosen = launch.request.save_file;
    place.emplace(chosen.empty() ? SavePlace::usual(exploration_name(program, launch.request))
                                 : SavePlace::chosen(chosen));
    launch.request.save_file = place->file().string();
    launch.request.save_about = describe_exploration(program, launch.request);
  }
  if (launch.deadline) {
    const std::chrono::duration<double> left = *launch.deadline - std::chrono::steady_clock::now();
    const double reserved = seconds_for_trials(left.count());
    if (left.count() > most_reserved * reserved) launch.request.limits.reserved_seconds = reserved;
  }
  launch.bare = options.elsewhere != nullptr;
  const double computed_before = processor_seconds();
  const Supervised supervised =
      options.elsewhere != nullptr
          ? options.elsewhere->explore(launch, exploration_name(program, launch.request))
          : supervise_jobs(launch, options.jobs);
  const LaunchResult& result = supervised.last;
  Outcome outcome = make_outcome(target, options.request);
  outcome.processor_seconds = processor_seconds() - computed_before;
  // What was found counts, also if there was no time to tell it.
  if (result.fate == Fate::replied || !result.reply.findings.empty()) {
    refuse_error(target, result.reply);
    Reply reply = result.reply;
    take_over(launch, reply, outcome);
    if (result.fate != Fate::replied) {
      outcome.notes.emplace_back(
          "the process that explores ended before it could tell how it came to this");
    }
  } else {
    judge_death(result, target, false, outcome);
  }
  say_what_ended_it(result, outcome);
  if (result.fate == Fate::replied && outcome.verdict != Verdict::finding) {
    if (const std::string name = unseen_variable(result.reply.modules); !name.empty()) {
      outcome.notes.push_back("clang does not instrument long double (`" + name +
                              "`): data races on such variables are not seen; compile with gcc");
    }
  }
  outcome.notes.insert(outcome.notes.end(), supervised.notes.begin(), supervised.notes.end());
  try_what_may_help(launch, result, outcome);
  repair_orders(launch, result.reply, options, outcome);
  settle_saved(launch.request, target, options, outcome);
  ScheduleFile explored = program;
  explored.target.checks.refinement = result.reply.refinement;  // the steps depend on that ...
  explored.target.checks.memory = result.reply.memory;          // ... on that, ...
  explored.target.checks.graphs = launch.request.checks.graphs;
  save_schedules(explored, options, outcome);
  if (options.elsewhere != nullptr) options.elsewhere->told();
  return outcome;
}

Outcome replay(const Target& target, const ScheduleFile& schedule,
               const std::filesystem::path& file, const CheckOptions& options) {
  CheckOptions adjusted = options;
  adjusted.request.schedule = schedule.decisions;
  if (schedule.message == needs_too_much_memory) {  // there may be no bound this time
    adjusted.request.crashing = {{schedule.decisions, schedule.message}};
  }
  Launch first = make_launch(target, adjusted, Task::replay);
  adjusted.request.checks = first.request.checks;
  LaunchResult result = launch(first);
  if ((result.fate == Fate::killed || result.fate == Fate::exited) && !result.by_user) {
    // It died of it once more. What led there is told by one that stops just before.
    adjusted.request.crashing = {{schedule.decisions, schedule.message}};
    result = launch(make_launch(target, adjusted, Task::replay));
  }
  Outcome outcome = make_outcome(target, adjusted.request);
  outcome.technique = "replay";
  if (result.fate == Fate::replied) {
    refuse_error(target, result.reply);
    const Symbols symbols(result.reply.modules);
    judge(result.reply, adjusted.request, symbols, outcome);
    for (const RawFinding& raw : result.reply.findings) {
      if (schedule.kind != name(raw.finding.kind)) continue;
      const RawStory& story = raw.story.events.empty() ? result.reply.replayed : raw.story;
      outcome.findings.push_back(reported(symbols, raw, story, outcome));
      break;
    }
  } else {
    judge_death(result, target, true, outcome);
  }
  if (outcome.verdict == Verdict::inconclusive || outcome.verdict == Verdict::error) return outcome;
  if (outcome.findings.empty() || schedule.kind != name(outcome.findings.front().finding.kind)) {
    outcome.findings.clear();
    outcome.verdict = Verdict::error;
    outcome.reason = "the schedule did not lead to the finding again (" + schedule.kind + ": " +
                     schedule.message +
                     "); the program depends on something that the schedule does not fix";
    return outcome;
  }
  outcome.reason = "the finding is reproduced";
  outcome.findings.front().finding.schedule = schedule.decisions;
  outcome.findings.front().replay_command =
      options.command + " replay " + shell_file(file.string()) + program_to_name(target);
  return outcome;
}

DebugCommand debug(const Target& target, const ScheduleFile& schedule,
                   const CheckOptions& options) {
  Launch launch = make_launch(target, options, Task::debug);
  launch.request.schedule = schedule.decisions;
  return debug_command(launch, work_folder(), target.binary.filename().string());
}

}  // namespace mazurka::threads
