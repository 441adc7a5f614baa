#include "programs/threads/runtime/profile.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

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

/// Adds up over some executions what happens where.
class Places {
 public:
  void add(const RawStory& story, const std::vector<double>& branching) {
    ++executions_;
    std::map<std::pair<Key, ProcessId>, Visits> visits;
    std::map<std::pair<Key, ProcessId>, const RawEvent*> before;
    for (const RawEvent& event : story.events) {
      if ((event.flags & (flag_plain | flag_not_done)) != 0 || event.stack.empty()) continue;
      RawHotSpot& spot = spots_[event.stack];
      spot.stack = event.stack;
      spot.action = event.action;
      spot.events += 1;
      if (event.position < branching.size()) spot.branching += branching[event.position];
      const std::pair<Key, ProcessId> here{event.stack, event.process};
      Visits& visit = visits[here];
      ++visit.count;
      const RawEvent*& latest = before[here];
      const bool vain = in_vain(event, latest);
      visit.tries = vain ? visit.tries + 1 : 0;
      visit.longest_tries = std::max(visit.longest_tries, visit.tries);
      latest = &event;
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
};

}  // namespace

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
  Places places;
  double events = 0;
  for (std::uint64_t at = 0; at < most_recorded && now() - begun < seconds; ++at) {
    Recorder recorder;
    program.record_into(&recorder);
    const bool done = survey.walk(std::min(longest_walk, max_events));
    program.record_into(nullptr);
    if (!done) break;
    const Ending ending = probe.execution().ending;
    if (ending == Ending::asleep || ending == Ending::impossible || probe.branching().empty()) {
      continue;
    }
    places.add(recorder.story, probe.branching());
    events += static_cast<double>(probe.execution().size());
  }
  profile.executions = places.executions();
  if (profile.executions == 0) return profile;
  profile.events = events / static_cast<double>(profile.executions);
  profile.spots = places.spots();
  const SizeEstimate estimate = probe.estimate();
  profile.total = estimate.believable ? estimate.total : 0;
  profile.error = estimate.error;
  profile.at_least = estimate.at_least;
  return profile;
}

}  // namespace mazurka::threads
