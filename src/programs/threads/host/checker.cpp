#include "programs/threads/host/checker.hpp"

#include <csignal>
#include <cstring>

#include "programs/threads/host/files.hpp"
#include "programs/threads/host/launcher.hpp"
#include "programs/threads/host/storyteller.hpp"
#include "programs/threads/host/symbols.hpp"

namespace mazurka::threads {

namespace {

std::string signal_name(int signal) {
  const char* abbreviation = sigabbrev_np(signal);
  return abbreviation == nullptr ? "signal " + std::to_string(signal)
                                 : "SIG" + std::string(abbreviation);
}

std::string plural(std::uint64_t count, const std::string& word) {
  return std::to_string(count) + " " + word + (count == 1 ? "" : "s");
}

std::string place_of(const Symbols& symbols, const std::vector<std::uint64_t>& stack) {
  for (const Frame& frame : symbols.frames(stack)) {
    if (!frame.file.empty()) return frame.text();
  }
  return {};
}

/// Why a search that is not complete ended, in one sentence.
std::string incomplete_reason(const Reply& reply, const Limits& limits, const Symbols& symbols) {
  const Statistics& counts = reply.statistics;
  switch (reply.stopped) {
    case Stop::interrupted: return "interrupted by the user";
    case Stop::max_executions:
      return "--max-executions " + std::to_string(limits.max_executions) + " is reached";
    case Stop::max_seconds: return "--max-time is over";
    default: break;
  }
  std::vector<std::string> reasons;
  if (counts.stalled > 0) {
    const std::string at = place_of(symbols, reply.stalled_at);
    std::string who = "a process";
    if (reply.stalled_process != no_process) {
      who = index(reply.stalled_process) == 0 ? "main"
                                              : "T" + std::to_string(index(reply.stalled_process));
    }
    reasons.push_back(who + " computes without end and without a visible operation" +
                      (at.empty() ? "" : " in " + at) + " (in " +
                      plural(counts.stalled, "execution") + "; --max-stall sets the patience)");
  }
  if (counts.cut > 0) {
    reasons.push_back(plural(counts.cut, "execution") + " reached --max-events " +
                      std::to_string(limits.max_events) + " and " +
                      (counts.cut == 1 ? "was" : "were") + " cut");
  }
  if (reasons.empty()) return "the search ended early";
  return reasons.size() == 1 ? reasons[0] : reasons[0] + "; " + reasons[1];
}

std::string divergence_reason(const RawDivergence& divergence) {
  return "the program is not deterministic once its schedule is fixed, so its executions can not "
         "be compared\n  step " +
         std::to_string(divergence.event + 1) + " was:     " + divergence.expected +
         "\n  repeated it is: " + divergence.seen +
         "\n  look for what differs from one execution to the next: clocks, random numbers, "
         "addresses used as values, uninitialised memory, files, processes outside";
}

/// Fills in everything but the findings.
void judge(const Reply& reply, const Request& request, const Symbols& symbols, Outcome& outcome) {
  outcome.statistics = reply.statistics;
  outcome.seconds = reply.seconds;
  outcome.peak_memory = reply.peak_memory;
  outcome.replay_seconds = reply.replay_seconds;
  outcome.replay_executions = reply.replay_executions;
  outcome.notes = reply.notes;
  if (!reply.findings.empty()) {
    outcome.verdict = Verdict::finding;
    outcome.reason = plural(reply.findings.size(), "finding");
  } else if (!reply.divergence.empty()) {
    outcome.verdict = Verdict::error;
    outcome.reason = divergence_reason(reply.divergence.front());
  } else if (reply.complete && reply.statistics.cut == 0 && reply.statistics.stalled == 0) {
    outcome.verdict = Verdict::verified;
    outcome.reason = "every behaviour that scheduling can cause was explored";
  } else {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = incomplete_reason(reply, request.limits, symbols);
  }
}

/// The program did not live to reply.
void judge_death(const LaunchResult& result, const Target& target, Outcome& outcome) {
  outcome.statistics = result.statistics;
  outcome.seconds = result.seconds;
  const bool under_way = !result.schedule.empty() || result.statistics.events > 0;
  switch (result.fate) {
    case Fate::killed: {
      const std::string signal = signal_name(result.signal);
      if (!under_way) {
        throw InputError(target.shown + " was killed by " + signal +
                         " before its exploration began; does it run outside Mazurka?");
      }
      outcome.verdict = Verdict::finding;
      outcome.reason = "1 finding; the program died of it, so the search ended";
      FindingReport report;
      report.finding.kind = FindingKind::crash;
      report.finding.message =
          "the program was killed by " + signal +
          (result.signal == SIGKILL ? " (perhaps the machine is out of memory)" : "");
      report.finding.key = "killed by " + signal;
      report.finding.schedule = result.schedule;
      outcome.findings.push_back(std::move(report));
      return;
    }
    case Fate::exited:
      outcome.verdict = Verdict::error;
      outcome.reason = target.shown + " ended by itself with exit code " +
                       std::to_string(result.exit_code) +
                       (under_way ? " in the middle of an execution, by _exit or a system call "
                                    "that the runtime does not see"
                                  : " before its exploration began");
      return;
    case Fate::interrupted:
      outcome.verdict = Verdict::inconclusive;
      outcome.reason = "interrupted by the user";
      return;
    case Fate::unresponsive:
    case Fate::replied:
      outcome.verdict = Verdict::inconclusive;
      outcome.reason = result.by_user ? "interrupted by the user; the program had to be killed"
                                      : "the program did not react any more and had to be killed";
      return;
  }
}

Launch make_launch(const Target& target, const CheckOptions& options) {
  Launch launch;
  // A name without a folder would be searched for in PATH by some, and not by exec.
  launch.binary = target.binary.has_parent_path() ? target.binary : "." / target.binary;
  launch.arguments = target.arguments;
  launch.request = options.request;
  launch.request.racy = target.racy;
  launch.output_to_stderr = options.output_to_stderr;
  launch.on_progress = options.on_progress;
  return launch;
}

Outcome make_outcome(const Target& target, const Request& request) {
  Outcome outcome;
  outcome.program = target.shown;
  outcome.technique = request.technique;
  outcome.racy = target.racy;
  return outcome;
}

/// The story as the front-end tells it itself, or out of its raw events.
Story told(const Symbols& symbols, const RawFinding& raw, const RawStory& story, Finding& finding) {
  return raw.told.empty() ? Storyteller(symbols, story).tell(&finding) : raw.told.front();
}

void refuse_error(const Target& target, const Reply& reply) {
  if (!reply.error.empty()) throw InputError(target.shown + ": " + reply.error);
}

}  // namespace

Target prepare(const std::filesystem::path& program, const std::vector<std::string>& extra,
               bool racy, Compiler compiler) {
  Target target;
  target.shown = program.string();
  target.racy = racy;
  target.compiler = compiler;
  if (is_source(program)) {
    target.source = program;
    target.flags = extra;
    target.binary = compile({program, extra, racy, compiler});
  } else {
    target.binary = program;
    target.arguments = extra;
  }
  require_checkable(target.binary);
  return target;
}

Outcome check(const Target& target, const CheckOptions& options) {
  const LaunchResult result = launch(make_launch(target, options));
  Outcome outcome = make_outcome(target, options.request);
  if (result.fate == Fate::replied) {
    refuse_error(target, result.reply);
    const Symbols symbols(result.reply.modules);
    judge(result.reply, options.request, symbols, outcome);
    for (const RawFinding& raw : result.reply.findings) {
      FindingReport report;
      report.finding = raw.finding;
      report.story = told(symbols, raw, raw.story, report.finding);
      outcome.findings.push_back(std::move(report));
    }
  } else {
    judge_death(result, target, outcome);
  }
  for (std::size_t i = 0; i < outcome.findings.size(); ++i) {
    FindingReport& report = outcome.findings[i];
    const std::filesystem::path file = save({target,
                                             {},
                                             {},
                                             std::string(name(report.finding.kind)),
                                             report.finding.message,
                                             report.finding.schedule},
                                            i + 1);
    report.replay_command = options.command + " replay " + file.string();
  }
  return outcome;
}

Outcome replay(const Target& target, const ScheduleFile& schedule,
               const std::filesystem::path& file, const CheckOptions& options) {
  CheckOptions adjusted = options;
  adjusted.request.task = Task::replay;
  adjusted.request.schedule = schedule.decisions;
  const LaunchResult result = launch(make_launch(target, adjusted));
  Outcome outcome = make_outcome(target, adjusted.request);
  outcome.technique = "replay";
  if (result.fate == Fate::replied) {
    refuse_error(target, result.reply);
    const Symbols symbols(result.reply.modules);
    judge(result.reply, adjusted.request, symbols, outcome);
    for (const RawFinding& raw : result.reply.findings) {
      if (schedule.kind != name(raw.finding.kind)) continue;
      FindingReport report;
      report.finding = raw.finding;
      const RawStory& story = raw.story.events.empty() ? result.reply.replayed : raw.story;
      report.story = told(symbols, raw, story, report.finding);
      outcome.findings.push_back(std::move(report));
      break;
    }
  } else {
    judge_death(result, target, outcome);
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
  outcome.findings.front().replay_command = options.command + " replay " + file.string();
  return outcome;
}

DebugCommand debug(const Target& target, const ScheduleFile& schedule,
                   const CheckOptions& options) {
  Launch launch = make_launch(target, options);
  launch.request.task = Task::debug;
  launch.request.schedule = schedule.decisions;
  return debug_command(launch, work_folder(), target.binary.filename().string());
}

}  // namespace mazurka::threads
