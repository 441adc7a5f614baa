#include "programs/threads/runtime/profile.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "core/check.hpp"

namespace mazurka::threads {

namespace {

constexpr std::uint64_t longest_walk = 2'000;  // events, of those that are written down
constexpr std::uint64_t most_recorded = 40;
constexpr std::size_t most_spots = 200;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// What a process does at one place in one execution.
struct Visits {
  std::uint64_t count = 0;
  std::uint64_t tries = 0;  // in a row, in vain
  std::uint64_t longest_tries = 0;
};

bool in_vain(const RawEvent& event, const RawEvent* before) {
  switch (event.action) {
    case Action::update_failed: return true;
    case Action::try_lock: return event.value == 0;
    case Action::read:
      return before != nullptr && before->action == Action::read &&
             before->address == event.address && before->value == event.value;
    default: return false;
  }
}

/// What was done by each decision; null: it is not known. Operations that are none (nobody else was
/// there, or nobody can notice) come before the one that the decision is about.
std::vector<const RawEvent*> decisions_of(const RawStory& story, const Execution& execution) {
  std::vector<const RawEvent*> decisions(execution.size(), nullptr);
  for (const RawEvent& event : story.events) {
    if ((event.flags & (flag_plain | flag_not_done)) != 0 || event.stack.empty()) continue;
    if (event.position >= decisions.size()) continue;
    if (event.process == execution.steps.process(event.position)) {
      decisions[event.position] = &event;
    }
  }
  return decisions;
}

/// Adds up over some executions what happens where.
class Places {
 public:
  void add(const RawStory& story, const Execution& execution,
           const std::vector<double>& branching) {
    ++executions_;
    events_ += static_cast<double>(execution.size());
    std::map<std::pair<Key, ProcessId>, Visits> visits;
    std::map<std::pair<Key, ProcessId>, const RawEvent*> before;
    for (const RawEvent* const one : decisions_of(story, execution)) {
      if (one == nullptr) continue;
      const RawEvent& event = *one;
      RawHotSpot& spot = spots_[event.stack];
      spot.stack = event.stack;
      spot.action = event.action;
      spot.events += 1;
      if (event.position < branching.size()) spot.branching += branching[event.position];
      const std::pair<Key, ProcessId> here{event.stack, event.process};
      MAZURKA_CHECK(event.position < execution.size(), "a decision is an event of the execution");
      Visits& visit = visits[here];
      ++visit.count;
      const RawEvent*& latest = before[here];
      const bool vain = in_vain(event, latest);
      visit.tries = vain ? visit.tries + 1 : 0;
      visit.longest_tries = std::max(visit.longest_tries, visit.tries);
      latest = one;
    }
    std::map<Key, std::uint64_t> processes;
    for (const auto& [where, visit] : visits) {
      RawHotSpot& spot = spots_[where.first];
      spot.rounds = std::max(spot.rounds, visit.count);
      spot.tries = std::max(spot.tries, visit.longest_tries);
      spot.processes = std::max(spot.processes, ++processes[where.first]);
    }
  }

  [[nodiscard]] std::uint64_t executions() const { return executions_; }
  [[nodiscard]] double events() const { return events_ / static_cast<double>(executions_); }

  [[nodiscard]] std::vector<RawHotSpot> spots() const {
    std::vector<RawHotSpot> all;
    for (const auto& [where, spot] : spots_) {
      all.push_back(spot);
      all.back().events /= static_cast<double>(executions_);
      all.back().branching /= static_cast<double>(executions_);
    }
    std::sort(all.begin(), all.end(), [](const RawHotSpot& one, const RawHotSpot& other) {
      return one.events > other.events;
    });
    if (all.size() > most_spots) all.resize(most_spots);
    return all;
  }

 private:
  using Key = std::vector<std::uint64_t>;  // a stack
  std::map<Key, RawHotSpot> spots_;
  std::uint64_t executions_ = 0;
  double events_ = 0;  // of all of them
};

}  // namespace

RawProfile profile_of(Runtime& program, Sample& sample) {
  Places places;
  const std::size_t step = std::max<std::size_t>(sample.schedules.size() / most_recorded, 1);
  for (std::size_t at = 0; at < sample.schedules.size(); at += step) {
    const std::vector<Decision>& decisions = sample.schedules[at];
    Recorder recorder;
    program.record_into(&recorder);
    Execution execution;
    Run run(program.vocabulary(), sample.names, execution);
    run.start({.prefix = decisions}, {std::max<std::uint64_t>(decisions.size(), 1), true, 0, {}});
    program.run(run);
    run.finish_execution();
    program.record_into(nullptr);
    if (!run.divergence()) places.add(recorder.story, execution, {});
  }
  RawProfile profile;
  profile.executions = places.executions();
  if (profile.executions == 0) return profile;
  profile.events = places.events();
  profile.spots = places.spots();
  return profile;
}

RawProfile profile_of(Runtime& program, Survey& survey, double seconds) {
  const std::uint64_t max_events = program.request().limits.max_events;
  const SizeProbe& probe = survey.probe();
  RawProfile profile;
  double begun = now();
  constexpr double share_of_size = 0.4;
  while (!probe.estimate().believable && now() - begun < seconds * share_of_size &&
         survey.walk(max_events)) {
  }
  seconds *= 1 - share_of_size;
  begun = now();
  Places whole;
  Places partial;  // walks that ended where nobody could go on but whose turn it is elsewhere
  for (std::uint64_t at = 0; at < most_recorded && now() - begun < seconds; ++at) {
    Recorder recorder;
    program.record_into(&recorder);
    const bool done = survey.walk(std::min(longest_walk, max_events));
    program.record_into(nullptr);
    if (!done) break;
    const Execution& execution = probe.execution();
    const bool ended = execution.ending == Ending::asleep || execution.ending == Ending::impossible;
    const bool learned_only = probe.branching().empty();
    (ended || learned_only ? partial : whole).add(recorder.story, execution, probe.branching());
  }
  // Where no walk came to an end, what they did on the way says at least where the events are.
  const Places& places = whole.executions() > 0 ? whole : partial;
  profile.executions = places.executions();
  if (profile.executions == 0) return profile;
  profile.events = places.events();
  profile.spots = places.spots();
  const SizeEstimate estimate = probe.estimate();
  profile.total = estimate.believable ? estimate.total : 0;
  profile.error = estimate.error;
  profile.at_least = estimate.at_least;
  return profile;
}

}  // namespace mazurka::threads
