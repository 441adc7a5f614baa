#include "programs/threads/runtime/survey.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <string_view>
#include <utility>

#include "explorers/table.hpp"

namespace mazurka::threads {

namespace {

constexpr unsigned pauses_per_look = 16;       // at the clock
constexpr double first_turn = 0.2;             // seconds after the beginning
constexpr double share_of_walks = 0.03;        // of the executions of the search
constexpr double good_enough = 0.02;           // relative error
constexpr std::uint64_t longest_walk = 2'000;  // events, of those that are written down
constexpr std::uint64_t most_recorded = 40;
constexpr std::size_t most_spots = 200;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

SearchTree tree_of(const Request& request) {
  SearchTree tree;
  const Size size = technique_of(request.technique).size;
  tree.reduced = size != Size::interleavings && size != Size::bounded_interleavings;
  if (size == Size::bounded_interleavings) tree.preemptions = request.limits.preemption_bound();
  return tree;
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

Survey::Survey(Runtime& program, const Request& request, Progress& progress)
    : program_(program),
      request_(request),
      progress_(progress),
      probe_(program, tree_of(request)),
      exact_(technique_of(request.technique).size != Size::unknown),
      given_up_(!request.probes || technique_of(request.technique).is_sample()) {}

bool Survey::walk(std::uint64_t max_events) {
  if (given_up_) return false;
  progress_.walking.store(1, std::memory_order_relaxed);
  given_up_ = !probe_.walk({max_events, !request_.limits.keep_going, 0, {}});
  progress_.walking.store(0, std::memory_order_relaxed);
  progress_.position.store(0, std::memory_order_relaxed);
  return !given_up_;
}

void Survey::pause(Session& search) {
  if (given_up_ || !exact_ || search.stopped() != Stop::none) return;
  if (++pauses_ % pauses_per_look != 0) return;
  if (search.seconds() < first_turn) return;
  const Statistics& counts = search.statistics();
  const std::uint64_t performed = counts.executions + counts.asleep + counts.in_vain;
  if (!before_) before_ = performed - pauses_;  // by an exploration that this one goes on with
  const double due = share_of_walks * static_cast<double>(performed - *before_);
  while (static_cast<double>(walks_) < due && !is_good_enough() &&
         walk(request_.limits.max_events)) {
    ++walks_;
  }
  tell(search);
}

bool Survey::is_good_enough() const {
  const SizeEstimate estimate = probe_.estimate();
  return estimate.believable && estimate.error <= good_enough;
}

void Survey::tell(Session& search) {
  const SizeEstimate estimate = probe_.estimate();
  const Statistics& counts = search.statistics();
  const auto done =
      static_cast<double>(counts.executions - counts.repeated + counts.in_vain + counts.assumed);
  // What turns out to be wrong is not shown any more.
  constexpr double errors = 3;
  const bool wrong = done > estimate.total * (1 + errors * estimate.error);
  const bool shown = estimate.believable && !given_up_ && !wrong;
  constexpr double nearly_all = 0.99;
  search.estimate(shown ? std::min(done / estimate.total, nearly_all) : 0);
  const bool more = estimate.at_least > done;
  progress_.at_least.store(more ? estimate.at_least : 0, std::memory_order_relaxed);
}

RawProfile Survey::profile(double seconds) {
  RawProfile profile;
  double begun = now();
  constexpr double share_of_size = 0.4;
  while (!probe_.estimate().believable && now() - begun < seconds * share_of_size &&
         walk(request_.limits.max_events)) {
  }
  seconds *= 1 - share_of_size;
  begun = now();
  Places places;
  double events = 0;
  for (std::uint64_t at = 0; at < most_recorded && now() - begun < seconds && !given_up_; ++at) {
    Recorder recorder;
    program_.record_into(&recorder);
    const bool done = walk(std::min(longest_walk, request_.limits.max_events));
    program_.record_into(nullptr);
    if (!done) break;
    if (probe_.execution().ending == Ending::asleep || probe_.branching().empty()) continue;
    places.add(recorder.story, probe_.branching());
    events += static_cast<double>(probe_.execution().size());
  }
  profile.executions = places.executions();
  if (profile.executions == 0) return profile;
  profile.events = events / static_cast<double>(profile.executions);
  profile.spots = places.spots();
  const SizeEstimate estimate = probe_.estimate();
  profile.total = estimate.believable ? estimate.total : 0;
  profile.error = estimate.error;
  profile.at_least = estimate.at_least;
  return profile;
}

}  // namespace mazurka::threads
