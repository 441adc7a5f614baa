#include "programs/threads/host/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <optional>

#include "core/check.hpp"
#include "core/shown_text.hpp"
#include "explorers/table.hpp"
#include "host/files.hpp"
#include "host/supervisor.hpp"
#include "host/system_calls.hpp"
#include "programs/threads/host/assertions_off.hpp"
#include "programs/threads/host/foreign_code.hpp"
#include "programs/threads/host/grounds.hpp"
#include "programs/threads/host/suppressions.hpp"

namespace mazurka::threads {
using namespace host;

namespace {

std::string name_of_stalled(const Reply& reply) {
  if (reply.stalled_process == no_process) return "a process";
  return index(reply.stalled_process) == 0 ? "main"
                                           : fmt::format("T{}", index(reply.stalled_process));
}

/// Of a process that loops without waiting for anything: it was cut, or does nothing for ever.
std::string who_loops(const Reply& reply, const Symbols& symbols) {
  const std::string at = place_of(symbols, reply.stalled_at);
  return name_of_stalled(reply) +
         (reply.statistics.cut > 0 ? " goes on and on in a loop, without waiting for anything"
                                   : " never ends: it is in an endless loop that does nothing") +
         (at.empty() ? "" : ", in " + at);
}

/// Why a search that is not complete ended, in one sentence.
std::string incomplete_reason(const Reply& reply, const Limits& limits, const Symbols& symbols) {
  const Statistics& counts = reply.statistics;
  switch (reply.stopped) {
    case Stop::interrupted: return "interrupted by the user";
    case Stop::max_executions:
      return fmt::format("--max-executions {} is reached", limits.max_executions);
    case Stop::max_seconds: return "--max-time is over";
    case Stop::rest_lost: return "what is left of a part of the search could not be saved";
    case Stop::cut:
      if (!reply.limit.empty()) {
        return fmt::format("an execution was cut where it {}, and the search with it", reply.limit);
      }
      return fmt::format(
          "{}: an execution was cut after {} events, and the search with it (--max-events N sets "
          "another bound)",
          counts.stalled == 0 && reply.stalled_process != no_process ? who_loops(reply, symbols)
                                                                     : "the program goes on and on",
          limits.max_events);
    default: break;
  }
  if (reply.complete && counts.skipped > 0 && counts.cut == 0 && counts.stalled == 0) {
    return fmt::format("every schedule with at most {} was explored, those with more were not",
                       plural(static_cast<std::uint64_t>(limits.preemption_bound()), "preemption"));
  }
  std::vector<std::string> reasons;
  const std::string at = place_of(symbols, reply.stalled_at);
  const std::string who = name_of_stalled(reply);
  if (counts.stalled == 0 && reply.stalled_process != no_process) {
    reasons.push_back(who_loops(reply, symbols));
  }
  if (counts.stalled > 0) {
    reasons.push_back(fmt::format(
        "{} computes without end and without a visible operation{} (in {}; --max-stall sets the "
        "patience)",
        who, at.empty() ? "" : " in " + at, plural(counts.stalled, "execution")));
  }
  if (counts.cut > 0 && !reply.limit.empty()) {
    reasons.push_back("an execution was cut where it " + reply.limit);
  } else if (counts.cut > 0) {
    reasons.push_back(fmt::format("{} reached --max-events {} and {} cut",
                                  plural(counts.cut, "execution"), limits.max_events,
                                  counts.cut == 1 ? "was" : "were"));
  }
  if (reasons.empty()) return "the search ended early";
  return reasons.size() == 1 ? reasons[0] : reasons[0] + "; " + reasons[1];
}

/// Libraries that may keep something, and do something, that is not seen.
std::string unseen_libraries(const Reply& reply) {
  std::string libraries;
  for (const ForeignCode& code : foreign_code(reply.modules)) {
    if (code.hides_order()) libraries += (libraries.empty() ? "" : ", ") + code.name;
  }
  return libraries;
}

std::string divergence_reason(const RawDivergence& divergence, const Reply& reply,
                              const Symbols& symbols) {
  const std::string at = place_of(symbols, divergence.stack);
  const std::string libraries = unseen_libraries(reply);
  if (!libraries.empty()) {
    return fmt::format(
        "threads synchronise unseen in {}, or it keeps something from one execution to the next, "
        "so "
        "that the executions can not be compared; build it with mazurka-cc or mazurka-c++\n"
        "  step {} was:     {}\n"
        "  repeated it is: {}{}",
        libraries, divergence.event + 1, divergence.expected, divergence.seen,
        at.empty() ? "" : ", in " + at);
  }
  return fmt::format(
      "the program is not deterministic once its schedule is fixed, so its executions can not be "
      "compared\n"
      "  step {} was:     {}\n"
      "  repeated it is: {}{}\n"
      "  look for what differs from one execution to the next: clocks, random numbers, addresses "
      "used as values, uninitialised memory, files, processes outside",
      divergence.event + 1, divergence.expected, divergence.seen, at.empty() ? "" : ", in " + at);
}

}  // namespace

void judge(const Reply& reply, const Request& request, const Symbols& symbols, Outcome& outcome) {
  MAZURKA_CHECK(reply.error.empty(), "an error has no verdict about the program");
  outcome.statistics = reply.statistics;
  outcome.seconds = reply.seconds;
  outcome.peak_memory = reply.peak_memory;
  outcome.replay_seconds = reply.replay_seconds;
  outcome.replay_executions = reply.replay_executions;
  outcome.notes = reply.notes;
  const std::vector<Suppression>& suppressions = request.checks.suppressions;
  for (const std::string& line : account_of(reply.accepted, suppressions, reply.complete)) {
    outcome.notes.push_back(line);
  }
  for (const AcceptedRace& one : reply.accepted) {
    outcome.suppressed.push_back(
        {one.race, suppressions.at(one.suppression).origin, one.executions});
  }
  if (reply.memory != MemoryModel::sc) outcome.memory = name_of(reply.memory);
  if (!reply.findings.empty()) {
    outcome.verdict = Verdict::finding;
    outcome.reason = plural(reply.findings.size(), "finding");
    const bool cut = !reply.complete && request.limits.keep_going;
    if (cut) {
      outcome.reason +=
          "; there may be more: " +
          (reply.divergence.empty() ? incomplete_reason(reply, request.limits, symbols)
                                    : divergence_reason(reply.divergence.front(), reply, symbols));
    } else if (reply.complete && !reply.grounds.unexplored.empty()) {
      outcome.reason += "; there may be more: " + why_not_verified(reply);
    }
  } else if (!reply.divergence.empty()) {
    outcome.verdict = unseen_libraries(reply).empty() ? Verdict::error : Verdict::inconclusive;
    outcome.reason = divergence_reason(reply.divergence.front(), reply, symbols);
  } else if (reply.complete && reply.statistics.cut == 0 && reply.statistics.stalled == 0 &&
             reply.statistics.skipped == 0) {
    outcome.reason = why_not_verified(reply);
    outcome.verdict = outcome.reason.empty() ? Verdict::verified : Verdict::inconclusive;
    outcome.sequential = reply.grounds.weak_orders;
    outcome.went_ahead = reply.grounds.time_matters && reply.grounds.went_ahead;
    if (outcome.verdict == Verdict::verified) {
      MAZURKA_CHECK(reply.statistics.executions > 0, "what is verified was explored");
      outcome.reason = "every behaviour that scheduling can cause was explored";
      if (outcome.sequential) outcome.reason += ", under sequential consistency";
    }
  } else {
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = incomplete_reason(reply, request.limits, symbols);
    const bool budget = reply.stopped == Stop::max_executions || reply.stopped == Stop::max_seconds;
    const Technique& technique = technique_of(request.technique);
    if (technique.coverage == Coverage::up_to_a_bound && budget) {
      outcome.reason += fmt::format(
          ", before every schedule with at most {} was explored",
          plural(static_cast<std::uint64_t>(request.limits.preemption_bound()), "preemption"));
    }
    if (technique.is_sample()) {
      outcome.reason += fmt::format(
          " (seed {}): a sample of the schedules, which proves nothing about the others",
          request.limits.seed);
    }
  }
}

namespace {

/// The code that is not seen and may have ordered the two accesses of the race, if there is some.
std::optional<ForeignCode> what_may_order(const RawFinding& race, const Reply& reply,
                                          const std::vector<ForeignCode>& foreign) {
  if (race.hidden.has_value()) {
    if (*race.hidden == 0) return std::nullopt;
    return hidden_code_at(reply.modules, *race.hidden);
  }
  const auto hides = std::find_if(foreign.begin(), foreign.end(),
                                  [](const ForeignCode& code) { return code.hides_order(); });
  return hides == foreign.end() ? std::nullopt : std::optional(*hides);
}

}  // namespace

void add_grounds(const Request& request, const Reply& reply, Outcome& outcome) {
  if (outcome.verdict == Verdict::error) return;
  const std::vector<ForeignCode> foreign = foreign_code(reply.modules);
  if (outcome.verdict == Verdict::finding) {
    std::size_t doubtful = 0;
    for (std::size_t at = 0; at < outcome.findings.size(); ++at) {
      MAZURKA_CHECK(at < reply.findings.size(), "what is reported is what was found");
      Finding& finding = outcome.findings[at].finding;
      if (finding.kind != FindingKind::data_race) continue;
      const auto hidden = what_may_order(reply.findings[at], reply, foreign);
      if (!hidden) continue;
      finding.message += "; it may only look like one";
      const std::string came = reply.findings[at].hidden ? "; a thread came there in between" : "";
      const std::string note =
          hidden->text() + came + "; a lock of its own would make no data race of this";
      const auto known = std::find(outcome.notes.begin(), outcome.notes.end(), note);
      if (known == outcome.notes.end()) outcome.notes.push_back(note);
      ++doubtful;
    }
    if (doubtful < outcome.findings.size()) return;
    outcome.verdict = Verdict::inconclusive;
    outcome.reason = "what looks like a data race may be none";
    return;
  }
  const std::vector<std::string> lines =
      grounds_of(request, reply, foreign, assertions_off(reply.modules));
  outcome.notes.insert(outcome.notes.begin(), lines.begin(), lines.end());
}

namespace {

std::string forbidden_in_words(const std::string& program, const LaunchResult& result) {
  const std::string what = program + ": the kernel has ended it (SIGSYS): ";
  if (result.confined) {
    return what +
           "it has blocked that signal by a system call of its own (rt_sigprocmask), and then "
           "asked for something that only the runtime can answer";
  }
  return what +
         "it asked for something that reaches outside, where nobody could answer: before main, or "
         "in a program of actors. It may not signal others, change modes, owners, times, links or "
         "locks of files, make sockets, or start programs";
}

}  // namespace

void judge_death(const LaunchResult& result, const Target& target, bool reproduced,
                 Outcome& outcome) {
  outcome.statistics = result.statistics;
  outcome.seconds = result.seconds;
  const bool under_way = !result.schedule.empty() || result.statistics.events > 0;
  switch (result.fate) {
    case Fate::out_of_memory:
      outcome.verdict = Verdict::inconclusive;
      outcome.reason = "--max-memory is reached";
      return;
    case Fate::killed:
    case Fate::exited: {
      if (result.fate == Fate::exited && result.exit_code == exit_out_of_reach) {
        throw InputError(target.shown +
                         ": the system gives no more address space, of which each thread of the "
                         "program needs 600 MB; raise the limit (ulimit -v)");
      }
      if (was_forbidden(result)) throw InputError(forbidden_in_words(target.shown, result));
      if (!under_way) {
        throw InputError(fmt::format(
            "{} {} before its exploration began; does it run outside Mazurka?", target.shown,
            result.fate == Fate::killed
                ? "was killed by " + signal_name(result.signal)
                : fmt::format("ended with exit code {}", result.exit_code)));
      }
      if (!reproduced) {
        outcome.verdict = Verdict::inconclusive;
        outcome.reason = fmt::format(
            "the process that explores died again and again, each time in another execution, the "
            "last time because {}{}",
            cause_of_death(result),
            result.signal == SIGKILL ? " (is the machine out of memory?)" : "");
        return;
      }
      outcome.verdict = Verdict::finding;
      outcome.reason = "1 finding";
      FindingReport report;
      report.finding.kind = FindingKind::crash;
      report.finding.message = cause_of_death(result);
      report.finding.key = report.finding.message;
      report.finding.schedule = result.schedule;
      outcome.findings.push_back(std::move(report));
      return;
    }
    case Fate::interrupted:
      outcome.verdict = Verdict::inconclusive;
      outcome.reason = "interrupted by the user";
      return;
    case Fate::unresponsive:
    case Fate::replied:
      outcome.verdict = Verdict::inconclusive;
      outcome.reason = result.by_user ? "interrupted by the user; the program had to be killed"
                                      : why_killed(result);
      return;
  }
}

std::string why_killed(const LaunchResult& result) {
  constexpr std::ptrdiff_t many = 1000;
  const std::vector<Decision>& schedule = result.schedule;
  if (std::ssize(schedule) < many) return "the program did not react any more and had to be killed";
  const ProcessId last = schedule.back().process;
  if (!std::all_of(schedule.end() - many, schedule.end(),
                   [&](const Decision& one) { return one.process == last; })) {
    return "the program goes on and on, and had to be killed";
  }
  return (index(last) == 0 ? "main" : fmt::format("T{}", index(last))) +
         " goes on and on in a loop, without waiting for anything, and the program had to be "
         "killed";
}

}  // namespace mazurka::threads
