#include "explorers/context/pruning.hpp"

#include "analysis/commutation.hpp"
#include "core/check.hpp"
#include "core/run_state.hpp"

namespace mazurka {

void Pruning::started(const RunState& run) {
  forbidden_.clear();
  left_.clear();
  shortened_.clear();
  if (avoid_ != nullptr) {
    MAZURKA_CHECK(run.records_states(), "where an event leads is known of recorded states only");
    left_.assign(avoid_->begin(), avoid_->end());
    forbid_avoided();
  }
  MAZURKA_CHECK(transitions_ == nullptr || dealt_with_ != nullptr,
                "canonical orders rest on what was dealt with");
  if (compares_states()) {
    MAZURKA_CHECK(run.records_states(), "states are compared that were recorded");
    recall_states(run);
  } else {
    states_.clear();
  }
}

// The states before the first new event, as far as they are not there already.
void Pruning::recall_states(const RunState& run) {
  const std::size_t shared = run.shared();
  if (states_.size() > shared) {
    states_.resize(shared + 1);
    return;
  }
  states_.assign(1, {});
  for (std::size_t at = 0; at < shared; ++at) {
    states_.push_back(states_.back() ^ run.so_far().changes[at]);
  }
}

void Pruning::arrived(const RunState& run) {
  if (dealt_with_ == nullptr) return;
  std::vector<ProcessSet>& nodes = *dealt_with_;
  if (nodes.size() <= run.position()) nodes.resize(run.position() + 1);
  MAZURKA_CHECK(run.position() >= run.shared(), "the shared nodes are there already");
  nodes[run.position()] = run.asleep();
  forbidden_.for_each([&](ProcessId process) { nodes[run.position()].insert(process); });
}

void Pruning::committed(const RunState& /*run*/, const Step& step) {
  if (left_.empty()) return;
  shortened_.clear();
  std::size_t kept = 0;
  for (Avoided& entry : left_) {
    const auto followed = sequences_->follow(entry, step);
    if (followed == AvoidedSequences::Follow::forgotten) continue;
    if (followed == AvoidedSequences::Follow::shortened) {
      shortened_.push_back(static_cast<std::uint32_t>(kept));
    }
    left_[kept++] = entry;
  }
  left_.resize(kept);
  forbid_avoided();
}

void Pruning::forbid_avoided() {
  forbidden_.clear();
  for (const Avoided& entry : left_) {
    const ProcessId process = sequences_->forbids(entry);
    if (process != no_process) forbidden_.insert(process);
  }
}

bool Pruning::effects(const RunState& run, const Fingerprint& change) {
  const bool explored = arrived_where_explored(run, change);
  bool known = false;
  if (compares_states()) {
    MAZURKA_CHECK(states_.size() == run.position(), "there is a state before each event");
    states_.push_back(states_.back() ^ change);
    known = known_ != nullptr && known_->find(states_.back()) != nullptr;
  }
  const bool late = transitions_ != nullptr && came_too_late(run);
  return explored || known || late;
}

// Whether the latest event completed a sequence that need not be done.
bool Pruning::arrived_where_explored(const RunState& run, const Fingerprint& change) {
  if (shortened_.empty()) return false;
  const Step step = run.so_far().steps[run.position() - 1];
  bool arrived = false;
  for (const std::uint32_t at : shortened_) {
    if (sequences_->arrived(left_[at], step, change)) arrived = true;
  }
  shortened_.clear();
  std::erase_if(left_, [](const Avoided& entry) { return entry.complete(); });
  return arrived;
}

// Whether the latest event could as well have come before one that it should have come before.
// Only the latest event of a process can be a neighbour: what follows it there depends on it.
bool Pruning::came_too_late(const RunState& run) {
  const Execution& execution = run.so_far();
  const Vocabulary& vocabulary = run.vocabulary();
  const auto event = static_cast<std::uint32_t>(run.position() - 1);
  const Step step = execution.steps[event];
  const Fingerprint state = states_[event + 1];
  if (step.accesses.empty()) return false;  // commutes with all that can be its neighbour
  transitions_->insert({states_[event], step.process()}, state);
  for (std::size_t other = 0; other < run.known_processes(); ++other) {
    const std::uint32_t earlier = run.latest_event(static_cast<ProcessId>(other));
    if (earlier == no_event || earlier == event ||
        !(*dealt_with_)[earlier].contains(step.process())) {
      continue;
    }
    const Step neighbour = execution.steps[earlier];
    if (!footprints_conflict(vocabulary, neighbour.accesses, step.accesses)) continue;
    const Commutes judged = commute(vocabulary, execution, earlier, event);
    if (judged == Commutes::no || judged == Commutes::never_met) continue;
    // The state that both met in, if nothing in between had to do with the neighbour.
    const Fingerprint before = states_[event] ^ execution.changes[earlier];
    const Fingerprint* halfway = transitions_->find({before, step.process()});
    if (halfway == nullptr) continue;
    const Fingerprint* end = transitions_->find({*halfway, neighbour.process()});
    if (end == nullptr || *end != state) continue;
    bool neighbours = true;
    for (std::uint32_t between = earlier + 1; neighbours && between < event; ++between) {
      const Step stranger = execution.steps[between];
      neighbours =
          !dependent(vocabulary, neighbour, stranger) && !dependent(vocabulary, step, stranger);
    }
    if (!neighbours) continue;
    if (canonical_orders_->comes_first({step.process(), execution.events[event].index},
                                       {neighbour.process(), execution.events[earlier].index})) {
      return true;
    }
  }
  return false;
}

Guide::Choice Pruning::choose(const RunState& run) {
  if (const ProcessId process = undisturbed(run); process != no_process) {
    return {Choice::Kind::process, {process, 0}, true};
  }
  if (known_ != nullptr) {  // a single step tells whether that leads to a known state
    if (const ProcessId process = completes_one(run); process != no_process) {
      return {Choice::Kind::process, {process, 0}};
    }
  }
  return {};
}

// A process that would complete a sequence that need not be done, and with whose step nobody may
// come to interfere; or no_process.
ProcessId Pruning::undisturbed(const RunState& run) const {
  ProcessId found = no_process;
  if (futures_ == nullptr) return found;
  forbidden_.for_each([&](ProcessId process) {
    if (found != no_process || !run.enabled().contains(process)) return;
    const Step step = run.next_step(process);
    for (std::size_t at = 0; at < run.known_processes(); ++at) {
      const auto other = static_cast<ProcessId>(at);
      if (run.has_ended(other) || other == process) continue;
      if (futures_->may_conflict(run.vocabulary(), other, run.events_of(other), step)) return;
    }
    found = process;
  });
  return found;
}

// A process that can move, and by that complete a sequence that may not have to be done; or
// no_process.
ProcessId Pruning::completes_one(const RunState& run) const {
  for (const Avoided& entry : left_) {
    const ProcessId process = sequences_->completes(entry);
    if (process != no_process && run.may_move(process)) return process;
  }
  return no_process;
}

}  // namespace mazurka
