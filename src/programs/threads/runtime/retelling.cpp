#include "programs/threads/runtime/retelling.hpp"

#include <algorithm>
#include <utility>

#include "core/check.hpp"
#include "programs/threads/runtime/divergence.hpp"
#include "programs/threads/runtime/hooks/hooks.hpp"

namespace mazurka::threads {

namespace {

// Performs a finding's schedule once more and writes everything down. `stops`: at the first
// finding, else where the schedule ends.
Told perform_again(const Finding& finding, const Request& request, bool stops) {
  Recorder recorder;
  MAZURKA_CHECK(runtime->recorder() == nullptr, "one execution is written down at a time");
  runtime->record_into(&recorder);
  ProcessNames names;
  Execution execution;
  Run run(runtime->vocabulary(), names, execution);
  std::vector<CrashingSchedule> crashing;  // with the processes numbered as in this execution
  for (const CrashingSchedule& known : request.crashing) {
    if (known.message == finding.message) crashing.push_back({finding.schedule, known.message});
  }
  const std::uint64_t most = stops ? request.limits.max_events : finding.schedule.size();
  run.start({.prefix = finding.schedule}, {most, stops, 0, crashing});
  runtime->run(run);
  run.finish_execution();
  runtime->record_into(nullptr);
  recorder.story.waiting = runtime->waiting();
  for (const RawProcess& process : recorder.story.processes) {
    recorder.story.stacks.push_back(
        {process.id, slot_begin(index(process.id)), stack_top(index(process.id))});
  }
  recorder.keep_blocks_mentioned();
  const std::uint64_t hidden =
      run.findings().empty() ? 0 : recorder.hidden_between(run.findings().front().process);
  Told told{std::move(recorder.story), std::move(run.findings()), execution.size()};
  told.hidden = hidden;
  if (run.divergence()) told.divergence = divergence_in_words(*run.divergence());
  return told;
}

bool comes_again(const Finding& finding, const Request& request) {
  const Told told = perform_again(finding, request, false);
  return std::any_of(told.findings.begin(), told.findings.end(),
                     [&](const Finding& one) { return one.message == finding.message; });
}

}  // namespace

std::vector<std::vector<std::uint64_t>> signal_fences_that_matter(const Finding& finding,
                                                                  const Request& request) {
  SignalFences& fences = runtime->atomics.signal_fences();
  fences.looks = true;
  (void)comes_again(finding, request);
  const std::vector<std::vector<std::uint64_t>> all = fences.passed;
  std::vector<std::vector<std::vector<std::uint64_t>>> candidates;
  for (const auto& one : all) candidates.push_back({one});
  if (all.size() > 1) candidates.push_back(all);
  std::vector<std::vector<std::uint64_t>> matter;
  for (const auto& candidate : candidates) {
    fences.for_threads = candidate;
    if (comes_again(finding, request)) continue;
    matter = candidate;
    break;
  }
  fences = {};
  fences.met = true;
  return matter;
}

// A finding may have been made while another thread stood before a failure of its own: that must
// not end the execution then.
Told retell(const Finding& finding, const Request& request) {
  Told told = perform_again(finding, request, true);
  const bool early = told.events < finding.schedule.size();
  const auto same = [&](const Finding& one) {
    return finding.message.empty() ? !early : one.message == finding.message;
  };
  if (told.findings.empty() || std::any_of(told.findings.begin(), told.findings.end(), same)) {
    return told;
  }
  Told all = perform_again(finding, request, false);
  if (!told.divergence) told.divergence = all.divergence;
  if (all.findings.empty()) return told;
  all.divergence = told.divergence;
  const auto wanted =
      std::find_if(all.findings.begin(), all.findings.end(),
                   [&](const Finding& one) { return one.message == finding.message; });
  if (wanted != all.findings.end()) std::swap(*wanted, all.findings.back());
  all.findings.erase(all.findings.begin(), all.findings.end() - 1);
  return all;
}

}  // namespace mazurka::threads
