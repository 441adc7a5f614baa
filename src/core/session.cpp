#include "core/session.hpp"

#include <algorithm>

namespace mazurka {

Session::Session(Program& program, Limits limits)
    : program_(program), limits_(limits), run_(program.vocabulary(), names_, execution_) {}

void Session::perform(const Schedule& schedule) {
  run_.start(schedule, {limits_.max_events, !limits_.keep_going, limits_.seed});
  program_.run(run_);
  run_.finish_execution();
  if (run_.divergence()) {
    divergence_ = run_.divergence();
    stopped_ = Stop::diverged;
  }
}

// How often the first execution is repeated, and how long that may take beyond the first time.
static constexpr int determinism_repeats = 16;
static constexpr double determinism_seconds = 0.01;

// The very first execution is performed again, and again if it is short. A program whose only
// execution depends on something other than the schedule would otherwise never be caught.
void Session::check_determinism() {
  std::vector<Decision> decisions;
  decisions.reserve(execution_.size());
  for (std::size_t at = 0; at < execution_.size(); ++at) {
    decisions.push_back(execution_.steps.decision(at));
  }
  const Ending first = execution_.ending;
  const double begun = seconds();
  for (int again = 0; again < determinism_repeats; ++again) {
    Schedule same;
    same.prefix = decisions;
    same.shared = decisions.size();
    perform(same);
    if (stopped_ == Stop::diverged) return;
    if (execution_.ending != first || execution_.size() != decisions.size()) {
      Divergence divergence;
      divergence.event = static_cast<std::uint32_t>(std::min(execution_.size(), decisions.size()));
      divergence.endings = {first, execution_.ending};
      divergence_ = std::move(divergence);
      stopped_ = Stop::diverged;
      return;
    }
    if (seconds() - begun > determinism_seconds) return;
  }
}

void Session::contradict() {
  Divergence divergence;
  divergence.event = static_cast<std::uint32_t>(execution_.size());
  divergence.endings = {Ending::complete, execution_.ending};
  divergence_ = std::move(divergence);
  stopped_ = Stop::diverged;
}

const Execution& Session::run(const Schedule& schedule) {
  perform(schedule);
  if (first_ && stopped_ == Stop::none && execution_.ending != Ending::stalled) {
    first_ = false;
    Execution answer = execution_;
    std::vector<Finding> found = std::move(run_.findings());
    check_determinism();
    if (stopped_ == Stop::none) execution_ = std::move(answer);
    run_.findings() = std::move(found);
  }
  if (stopped_ == Stop::diverged) return execution_;

  if (execution_.ending == Ending::asleep) {
    ++statistics_.asleep;
  } else {
    ++statistics_.executions;
  }
  if (execution_.ending == Ending::cut) ++statistics_.cut;
  if (execution_.ending == Ending::stalled) {
    ++statistics_.stalled;
    if (!limits_.keep_going) stopped_ = Stop::stalled;
  }
  statistics_.events += execution_.size();
  if (execution_.size() > schedule.shared) {
    statistics_.transitions += execution_.size() - schedule.shared;
  }
  statistics_.deepest = std::max<std::uint64_t>(statistics_.deepest, execution_.size());
  statistics_.processes = std::max<std::uint64_t>(statistics_.processes, execution_.processes);
  collect_findings();
  if (on_execution) on_execution(execution_);
  return execution_;
}

// Ids depend on the order in which an exploration first saw the processes. A schedule that is
// handed out numbers them in the order of their creation along itself, which is what whoever
// replays it will see.
std::vector<ProcessId> Session::numbers_by_creation() const {
  std::vector<ProcessId> numbers(names_.size(), no_process);
  numbers[index(Run::root())] = Run::root();
  std::uint16_t next = 1;
  for (const ProcessId process : run_.created()) numbers[index(process)] = ProcessId{next++};
  return numbers;
}

void Session::collect_findings() {
  for (Finding& finding : run_.findings()) {
    if (!known_findings_.insert(finding.key).second) continue;
    const std::vector<ProcessId> numbers = numbers_by_creation();
    for (Decision& decision : finding.schedule) {
      decision.process = numbers[index(decision.process)];
    }
    if (finding.process != no_process) finding.process = numbers[index(finding.process)];
    findings_.push_back(std::move(finding));
    if (!limits_.keep_going) stopped_ = Stop::finding;
  }
  run_.findings().clear();
}

double Session::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
}

bool Session::stop() {
  if (stopped_ != Stop::none) return true;
  if (interrupted_.load(std::memory_order_relaxed)) {
    stopped_ = Stop::interrupted;
  } else if (limits_.max_executions != 0 &&
             statistics_.executions + statistics_.asleep >= limits_.max_executions) {
    stopped_ = Stop::max_executions;
  } else if (limits_.max_seconds > 0 && seconds() >= limits_.max_seconds) {
    stopped_ = Stop::max_seconds;
  }
  return stopped_ != Stop::none;
}

}  // namespace mazurka
