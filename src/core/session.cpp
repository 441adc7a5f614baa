#include "core/session.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "core/members.hpp"

namespace mazurka {

void Statistics::add(const Statistics& other) {
  static_assert(count_of_members<Statistics> == 20, "each figure is added below, but `explored`");
  if (bad_exits == 0) exit_code = other.exit_code;
  for (const auto member :
       {&Statistics::executions, &Statistics::repeated, &Statistics::assumed, &Statistics::asleep,
        &Statistics::in_vain, &Statistics::impossible, &Statistics::events, &Statistics::spared,
        &Statistics::transitions, &Statistics::cut, &Statistics::stalled, &Statistics::skipped,
        &Statistics::digest, &Statistics::bad_exits, &Statistics::left_waiting}) {
    this->*member += other.*member;
  }
  deepest = std::max(deepest, other.deepest);
  processes = std::max(processes, other.processes);
  stored = std::max(stored, other.stored);
}

Session::Session(Program& program, Limits limits)
    : program_(program), limits_(limits), run_(program.vocabulary(), names_, execution_) {}

void Session::perform(const Schedule& schedule, Guide* guide) {
  run_.start(
      schedule,
      {limits_.max_events, !limits_.keep_going, limits_.seed, crashing, limits_.record_values},
      guide);
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
void Session::check_determinism(const Schedule& schedule) {
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
    same.as_announced = schedule.as_announced;
    same.moves_in_order = schedule.moves_in_order;
    same.watch_reads = schedule.watch_reads;
    perform(same);
    if (program_.abandoned()) return;
    if (stopped_ == Stop::diverged || execution_.ending == Ending::stalled) return;
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

const Execution& Session::run(const Schedule& schedule, Guide* guide) {
  MAZURKA_CHECK(stopped_ != Stop::diverged && stopped_ != Stop::refused,
                "nothing is explored of a program that is not deterministic, or was refused");
  MAZURKA_CHECK(!first_ || schedule.shared == 0, "a first schedule shares nothing");
  perform(schedule, guide);
  if (first_ && stopped_ == Stop::none && execution_.ending != Ending::stalled &&
      !program_.abandoned()) {
    first_ = false;
    Execution answer = execution_;
    std::vector<Finding> found = std::move(run_.findings());
    check_determinism(schedule);
    if (stopped_ == Stop::none && execution_.ending != Ending::stalled) {
      execution_ = std::move(answer);
    }
    run_.findings() = std::move(found);
  }
  if (stopped_ == Stop::diverged) return execution_;
  // Nothing may be concluded from an execution that did not come to its end, not even that it was
  // the last one.
  if (program_.abandoned()) {
    stopped_ = Stop::interrupted;
  } else {
    count(schedule);
  }
  collect_findings();
  if (on_execution) on_execution(execution_);
  return execution_;
}

void Session::count(const Schedule& schedule) {
  if (execution_.ending == Ending::asleep) {
    ++statistics_.asleep;
  } else if (execution_.ending == Ending::impossible) {
    ++statistics_.impossible;
  } else if (execution_.in_vain) {
    ++statistics_.in_vain;
  } else if (execution_.assumption_failed && execution_.ending == Ending::complete) {
    ++statistics_.assumed;
  } else {
    ++statistics_.executions;
    if (execution_.exit_code != 0 && statistics_.bad_exits++ == 0) {
      statistics_.exit_code = execution_.exit_code;
    }
    if (execution_.left_waiting) ++statistics_.left_waiting;
  }
  if (execution_.ending == Ending::cut) {
    ++statistics_.cut;
    if (limits_.stop_when_cut) stopped_ = Stop::cut;
  }
  if (execution_.ending == Ending::stalled) {
    ++statistics_.stalled;
    if (!limits_.keep_going) stopped_ = Stop::stalled;
  }
  statistics_.events += execution_.size();
  statistics_.spared += run_.spared();
  if (execution_.size() > schedule.shared) {
    statistics_.transitions += execution_.size() - schedule.shared;
  }
  statistics_.deepest = std::max<std::uint64_t>(statistics_.deepest, execution_.size());
  statistics_.processes = std::max<std::uint64_t>(statistics_.processes, execution_.processes);
  RunningHash digest(execution_.size());
  for (std::size_t at = 0; at < execution_.size(); ++at) {
    const Decision decision = execution_.steps.decision(at);
    digest.add((index(decision.process) << 16U) + decision.choice);
  }
  statistics_.digest += digest.value() ^ (digest.value() >> 32U);
}

void Session::begin_again() {
  statistics_.repeated = statistics_.executions;
  statistics_.cut = statistics_.stalled = statistics_.skipped = statistics_.bad_exits = 0;
  statistics_.left_waiting = 0;
  statistics_.explored = 0;
}

void Session::begin_again_after(const Session& other) {
  statistics_ = other.statistics_;
  begin_again();
  earlier_findings_ = other.earlier_findings_;
  earlier_findings_.insert(earlier_findings_.end(), other.findings_.begin(), other.findings_.end());
  if (!limits_.keep_going) settle_earlier_findings();
}

// Their schedules are in steps as they were then: what is found again comes with a better one.
void Session::settle_earlier_findings() {
  for (Finding& finding : earlier_findings_) adopt(std::move(finding));
  earlier_findings_.clear();
}

void Session::save(ArchiveWriter& archive) const {
  names_.save(archive);
  program_.save_names(archive);
  archive(statistics_, findings_, seconds_in_all());
}

void Session::load(ArchiveReader& archive) {
  MAZURKA_CHECK(statistics_.begun() == 0 && execution_.size() == 0 && findings_.empty(),
                "only a session that has explored nothing goes on with another one");
  names_.load(archive);
  program_.load_names(archive);
  archive(statistics_, findings_, seconds_before_);
  for (const Finding& finding : findings_) known_findings_.insert(finding.key);
  first_ = false;
}

void Session::count_anew() {
  statistics_ = {};
  findings_.clear();
  seconds_before_ = 0;
}

const Execution& Session::repeat(const StepList& steps, Ending ending, bool record_enabled) {
  std::vector<Decision> decisions;
  decisions.reserve(steps.size());
  for (std::size_t at = 0; at < steps.size(); ++at) decisions.push_back(steps.decision(at));
  Schedule schedule;
  schedule.prefix = decisions;
  schedule.expected = steps;
  schedule.record_enabled = record_enabled;
  // What was asleep at its end is not known here: it ends where it ended, whoever could move.
  run_.start(schedule, {steps.size(), !limits_.keep_going, 0, crashing});
  program_.run(run_);
  run_.finish_execution();
  run_.findings().clear();
  if (program_.abandoned()) {
    stopped_ = Stop::interrupted;
    return execution_;
  }
  if (run_.divergence() || execution_.size() != steps.size()) {
    if (run_.divergence()) {
      divergence_ = run_.divergence();
      stopped_ = Stop::diverged;
    } else {
      contradict();
    }
  }
  execution_.ending = ending;
  return execution_;
}

void Session::collect_findings() {
  for (Finding& finding : run_.findings()) {
    if (!known_findings_.insert(finding.key).second) continue;
    MAZURKA_CHECK(finding.schedule.size() <= execution_.size(),
                  "a finding is made in the execution that its schedule leads to");
    run_.renumber(finding);
    findings_.push_back(std::move(finding));
    if (!limits_.keep_going) stopped_ = Stop::finding;
  }
  run_.findings().clear();
}

void Session::adopt(Finding finding) {
  if (!known_findings_.insert(finding.key).second) return;
  findings_.push_back(std::move(finding));
  if (!limits_.keep_going) stopped_ = Stop::finding;
}

double Session::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
}

bool Session::is_time_over(double now) const {
  if (now >= limits_.max_seconds) return true;
  // Nearly done, as far as is known: then it has all of the time.
  constexpr double nearly = 0.8;
  return now >= limits_.max_seconds - limits_.reserved_seconds && statistics_.explored < nearly;
}

bool Session::stop() {
  if (stopped_ != Stop::none) return true;
  if (interrupted_.load(std::memory_order_relaxed)) {
    stopped_ = Stop::interrupted;
  } else if (limits_.max_executions != 0 && statistics_.begun() >= limits_.max_executions) {
    stopped_ = Stop::max_executions;
  } else if (limits_.max_seconds > 0 && is_time_over(seconds())) {
    stopped_ = Stop::max_seconds;
  }
  if (on_pause) on_pause();
  return stopped_ != Stop::none;
}

}  // namespace mazurka
