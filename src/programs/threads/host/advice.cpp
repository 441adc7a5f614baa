#include "programs/threads/host/advice.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <utility>

#include "core/check.hpp"
#include "explorers/table.hpp"
#include "host/interrupts.hpp"

namespace mazurka::threads {
using namespace host;

namespace {

using Clock = std::chrono::steady_clock;

constexpr double share_for_trials = 0.1;
constexpr double least_seconds = 1;
constexpr double most_seconds = 5;
constexpr double seconds_of_replay = 1;
constexpr std::size_t most_lines = 5;
constexpr double least_share = 0.02;
constexpr std::uint64_t many_tries = 3;   // in vain, and in a row: a loop that counts them
constexpr std::uint64_t many_rounds = 3;  // of a loop
constexpr std::uint64_t many_processes = 3;

struct Option {
  const char* text;
  const char* technique;
  std::int32_t preemptions;
};
constexpr std::array<Option, 6> offered{
    {{"--technique optimal", "optimal", -1},
     {"--technique optimal-observers", "optimal-observers", -1},
     {"--technique optimal-context", "optimal-context", -1},
     {"--technique optimal-context-observers", "optimal-context-observers", -1},
     {"--preemptions 1", "bounded", 1},
     {"--technique pct", "pct", -1}}};

/// Not what was done already, and nothing larger than what was asked for.
bool says_more(const Option& option, const Request& request) {
  const Technique& technique = technique_of(request.technique);
  return technique.coverage == Coverage::everything && request.technique != option.technique;
}

/// One by one, where the same line was reached in several ways.
std::vector<HotLine> lines_of(const RawProfile& profile, const Symbols& symbols) {
  std::map<std::pair<std::string, std::string>, HotLine> lines;
  double branching = 0;
  for (const RawHotSpot& spot : profile.spots) branching += spot.branching;
  for (const RawHotSpot& spot : profile.spots) {
    const std::vector<Frame> frames = symbols.frames(spot.stack);
    const auto known = std::find_if(frames.begin(), frames.end(),
                                    [](const Frame& frame) { return !frame.file.empty(); });
    if (known == frames.end()) continue;
    HotLine& line = lines[{known->place(), known->function}];
    line.place = known->place();
    line.function = known->function;
    line.events += spot.events / profile.events;
    if (branching > 0) line.branching += spot.branching / branching;
    line.processes = std::max(line.processes, spot.processes);
    line.rounds = std::max(line.rounds, spot.rounds);
    if (spot.tries >= many_tries) line.tries = std::max(line.tries, spot.tries + 1);
  }
  std::vector<HotLine> all;
  for (auto& [where, line] : lines) {
    MAZURKA_CHECK(line.events <= 1.001 && line.branching <= 1.001,
                  "a line has a part of the whole");
    all.push_back(std::move(line));
  }
  std::sort(all.begin(), all.end(), [](const HotLine& one, const HotLine& other) {
    return std::pair(one.branching, one.events) > std::pair(other.branching, other.events);
  });
  const auto matters = [](const HotLine& line) {
    return line.branching >= least_share || line.events >= least_share || line.tries > 0;
  };
  std::erase_if(all, [&](const HotLine& line) { return !matters(line); });
  if (all.size() > most_lines) {
    std::stable_partition(all.begin() + 1, all.end(),
                          [](const HotLine& line) { return line.tries > 0; });
    all.resize(most_lines);
  }
  return all;
}

std::vector<std::string> hints_of(const std::vector<HotLine>& lines) {
  std::vector<std::string> hints;
  for (const HotLine& line : lines) {
    if (line.tries == 0) continue;
    hints.push_back("let the loop at " + line.place + " try once or twice only (it tries " +
                    std::to_string(line.tries) +
                    " times in vain, and each number of tries is another behaviour), or wait "
                    "without counting: rounds of such a loop are left out");
  }
  for (const HotLine& line : lines) {
    if (line.tries > 0 || line.rounds < many_rounds || line.branching < least_share) continue;
    hints.push_back("fewer rounds at " + line.place + ": a thread comes there " +
                    std::to_string(line.rounds) + " times");
    break;
  }
  for (const HotLine& line : lines) {
    if (line.processes < many_processes || line.branching < least_share) continue;
    hints.push_back("fewer threads: " + std::to_string(line.processes) + " of them come to " +
                    line.place);
    break;
  }
  return hints;
}

Clock::duration duration_of(double seconds) {
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

/// Found something, came to its end, came to the end of a part, none of these.
int rank(const Trial& trial) {
  if (trial.found) return 0;
  if (!trial.complete) return 3;
  return trial.partial ? 2 : 1;
}

/// Whether a process of its own comes to the same failure by the finding's schedule.
bool replays(const Launch& launch, const Finding& finding) {
  Launch again = launch;
  again.request.task = Task::replay;
  again.request.schedule = finding.schedule;
  again.output_to_stderr = false;
  again.discard_output = true;
  const LaunchResult result = mazurka::host::launch(again);
  if (result.fate != Fate::replied) return false;
  const std::vector<RawFinding>& seen = result.reply.findings;
  return std::any_of(seen.begin(), seen.end(),
                     [&](const RawFinding& one) { return one.finding.kind == finding.kind; });
}

}  // namespace

double seconds_for_trials(double seconds_of_run) {
  return std::clamp(seconds_of_run * share_for_trials, least_seconds, most_seconds);
}

Advice advice_of(const Reply& reply, const Request& request, const Symbols& symbols) {
  Advice advice;
  const RawProfile& profile = reply.profile;
  if (profile.executions == 0) return advice;
  // A walk that was given up has fewer than an execution.
  const Statistics& counts = reply.statistics;
  const std::uint64_t begun =
      counts.executions + counts.asleep + counts.in_vain + counts.impossible + counts.assumed;
  const double of_search =
      begun == 0 ? 0 : static_cast<double>(counts.events) / static_cast<double>(begun);
  advice.events = std::max(profile.events, of_search);
  advice.total = profile.total;
  advice.error = profile.error;
  advice.at_least = profile.at_least;
  advice.fewer = request.technique.find("context") != std::string::npos ||
                 request.technique.find("observers") != std::string::npos;
  advice.lines = lines_of(profile, symbols);
  advice.hints = hints_of(advice.lines);
  return advice;
}

Trials try_options(const Launch& launch, double seconds) {
  Trials trials;
  std::vector<Option> worth_it;
  std::copy_if(offered.begin(), offered.end(), std::back_inserter(worth_it),
               [&](const Option& option) { return says_more(option, launch.request); });
  const Clock::time_point end = Clock::now() + duration_of(seconds);
  for (std::size_t at = 0; at < worth_it.size() && !trials.found; ++at) {
    const Option& option = worth_it[at];
    const Clock::time_point now = Clock::now();
    if (CountInterrupts::count() > 0 || now >= end) break;
    Launch moment = launch;
    moment.on_progress = nullptr;
    moment.grace = std::chrono::milliseconds(300);
    moment.deadline = now + (end - now) / static_cast<int>(worth_it.size() - at);
    moment.request.technique = option.technique;
    MAZURKA_CHECK(find_technique(option.technique) != nullptr, "what is offered is in the table");
    moment.request.limits.preemptions = option.preemptions;
    moment.request.limits.max_executions = 0;
    moment.request.limits.reserved_seconds = 0;
    moment.request.technique_is_default = false;
    moment.request.probes = false;
    moment.request.save_file.clear();
    moment.request.certificate.clear();
    moment.request.resume_file.clear();
    const LaunchResult result = mazurka::host::launch(moment);
    if (result.by_user) break;
    const Reply& reply = result.reply;
    const bool replied = result.fate == Fate::replied;
    if (!replied && result.fate != Fate::unresponsive) continue;
    if (!reply.error.empty() || !reply.divergence.empty()) continue;
    const Statistics& counts = replied ? reply.statistics : result.statistics;
    Trial trial;
    trial.options = option.text;
    trial.executions = counts.executions;
    trial.seconds = replied ? reply.seconds : result.seconds;
    trial.complete = reply.complete && counts.cut == 0 && counts.stalled == 0;
    trial.partial = counts.skipped > 0 || technique_of(option.technique).is_sample();
    moment.deadline = Clock::now() + duration_of(seconds_of_replay);
    if (!reply.findings.empty() && replays(moment, reply.findings.front().finding)) {
      trial.found = true;
      trials.found = reply;
      trials.found_by = option.text;
    }
    trials.all.push_back(trial);
  }
  std::stable_sort(trials.all.begin(), trials.all.end(),
                   [](const Trial& one, const Trial& other) { return rank(one) < rank(other); });
  return trials;
}

}  // namespace mazurka::threads
