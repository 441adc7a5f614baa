#include "host/confirmation.hpp"

#include <algorithm>
#include <utility>

#include "core/check.hpp"
#include "host/supervisor.hpp"

namespace mazurka::host {

namespace {

// Each costs a process; whoever has so many findings mends some of them first.
constexpr std::size_t most_confirmed = 100;

enum class Second { same, other, unknown };

/// What the schedule led to, where that was not the finding.
std::string what_happened(const LaunchResult& result, const Finding& finding) {
  if (result.fate != Fate::replied) return cause_of_death(result);
  const Reply& reply = result.reply;
  if (!reply.error.empty()) return "the program was refused: " + reply.error;
  if (!reply.findings.empty()) return "another finding: " + reply.findings.front().finding.message;
  if (!reply.divergence.empty()) {
    const RawDivergence& differs = reply.divergence.front();
    return "step " + std::to_string(differs.event + 1) + " of " +
           std::to_string(finding.schedule.size()) + " was: " + differs.seen +
           "; expected: " + differs.expected;
  }
  return "all " + std::to_string(finding.schedule.size()) + " steps, and no finding";
}

/// `instead`: filled in if the finding does not come again.
Second perform_again(Launch launch, RawFinding& found, std::string& instead) {
  const Finding& finding = found.finding;
  if (finding.kind != FindingKind::data_race) launch.request.hidden.clear();
  launch.request.task = Task::replay;
  launch.discard_output = true;
  launch.request.schedule = finding.schedule;
  launch.request.save_file.clear();
  launch.request.certificate.clear();
  launch.request.resume_file.clear();
  launch.request.crashing.clear();
  launch.request.unseen.clear();
  if (finding.message == needs_too_much_memory) {  // it would take as long as the first time
    launch.request.crashing = {{finding.schedule, finding.message}};
  }
  launch.on_progress = nullptr;
  const LaunchResult result = mazurka::host::launch(launch);
  if (result.by_user) return Second::unknown;
  bool same = false;
  switch (result.fate) {
    case Fate::replied: {
      const auto& all = result.reply.findings;
      const auto again = std::find_if(all.begin(), all.end(), [&](const RawFinding& one) {
        return one.finding.kind == finding.kind && one.finding.message == finding.message;
      });
      same = again != all.end();
      if (same) found.hidden = again->hidden;
      break;
    }
    case Fate::killed:
    case Fate::exited: same = cause_of_death(result) == finding.message; break;
    default: return Second::unknown;
  }
  if (!same) instead = what_happened(result, finding);
  return same ? Second::same : Second::other;
}

/// Watching for hidden code changes the program's instructions. Where that goes wrong nothing is
/// known about it, but the finding comes again all the same.
Second perform_watched(Launch launch, RawFinding& found, std::string& instead) {
  const Second watched = perform_again(launch, found, instead);
  if (watched != Second::other || launch.request.hidden.empty()) return watched;
  launch.request.hidden.clear();
  const Second second = perform_again(std::move(launch), found, instead);
  found.hidden.reset();
  return second;
}

}  // namespace

Confirmation confirm(Launch launch, Reply& reply) {
  launch.request.checks.refinement = reply.refinement;
  launch.request.checks.memory = reply.memory;
  Confirmation result;
  std::vector<RawFinding> confirmed;
  std::size_t untried = 0;
  for (RawFinding& one : reply.findings) {
    const bool skip = untried > 0 || confirmed.size() + result.lost.size() >= most_confirmed;
    std::string instead;
    const Second second = skip ? Second::unknown : perform_watched(launch, one, instead);
    if (second == Second::other) {
      result.lost.push_back({one.finding.message, std::move(instead)});
      continue;
    }
    if (second == Second::unknown) ++untried;
    confirmed.push_back(std::move(one));
  }
  MAZURKA_CHECK(confirmed.size() + result.lost.size() == reply.findings.size(),
                "each finding has come again, has not, or was not tried");
  reply.findings = std::move(confirmed);
  if (untried > 0) {
    result.notes.push_back(std::to_string(untried) +
                           (untried == 1 ? " finding was" : " findings were") +
                           " not performed once more in a process of its own");
  }
  return result;
}

}  // namespace mazurka::host
