#include "host/confirmation.hpp"

#include <algorithm>

#include "host/supervisor.hpp"

namespace mazurka::threads {

namespace {

// Each costs a process; whoever has so many findings mends some of them first.
constexpr std::size_t most_confirmed = 100;

enum class Second { same, other, unknown };

Second perform_again(Launch launch, const Finding& finding) {
  launch.request.task = Task::replay;
  launch.discard_output = true;
  launch.request.schedule = finding.schedule;
  launch.request.save_file.clear();
  launch.request.resume_file.clear();
  launch.request.crashing.clear();
  if (finding.message == needs_too_much_memory) {  // it would take as long as the first time
    launch.request.crashing = {{finding.schedule, finding.message}};
  }
  launch.on_progress = nullptr;
  const LaunchResult result = mazurka::threads::launch(launch);
  if (result.by_user) return Second::unknown;
  switch (result.fate) {
    case Fate::replied: break;
    case Fate::killed:
    case Fate::exited:
      return cause_of_death(result) == finding.message ? Second::same : Second::other;
    default: return Second::unknown;
  }
  const bool same = std::any_of(
      result.reply.findings.begin(), result.reply.findings.end(), [&](const RawFinding& one) {
        return one.finding.kind == finding.kind && one.finding.message == finding.message;
      });
  return same ? Second::same : Second::other;
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
    const Second second = skip ? Second::unknown : perform_again(launch, one.finding);
    if (second == Second::other) {
      result.lost.push_back(one.finding.message);
      continue;
    }
    if (second == Second::unknown) ++untried;
    confirmed.push_back(std::move(one));
  }
  reply.findings = std::move(confirmed);
  if (untried > 0) {
    result.notes.push_back(std::to_string(untried) +
                           (untried == 1 ? " finding was" : " findings were") +
                           " not performed once more in a process of its own");
  }
  return result;
}

}  // namespace mazurka::threads
