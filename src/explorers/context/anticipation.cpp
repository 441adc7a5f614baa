#include "explorers/context/anticipation.hpp"

#include <algorithm>

namespace mazurka {

void Anticipation::take_in() {
  const Execution& execution = path_.execution();
  recall_ended();
  for (std::size_t at = path_.kept(); at < execution.size(); ++at) {
    const Step step = execution.steps[at];
    Futures::Some ended = ended_of(step.process());
    learn(step, execution.events[at].index, ended);
    if (step.awaited != no_process) {
      ended |= Futures::just(step.awaited) | ended_of(step.awaited);
      first_join_ = std::min(first_join_, at);
    }
    ended_after_[at] = ended_of(step.process()) = ended;
  }
  if (!execution.pending.empty()) count_steps();
  for (std::size_t at = 0; at < execution.pending.size(); ++at) {
    const Step step = execution.pending[at];
    learn(step, steps_of(step.process()), ended_of(step.process()));
  }
  if (execution.nothing_else_either) {
    undisturbed_.push_back(execution.steps[execution.size() - 1].widened());
  }
}

// Whose end each process has waited for at the first new event.
void Anticipation::recall_ended() {
  const Execution& execution = path_.execution();
  ended_after_.resize(execution.size());
  std::fill(ended_.begin(), ended_.end(), 0);
  if (first_join_ >= path_.kept()) {
    first_join_ = execution.size();
    std::fill_n(ended_after_.begin(), path_.kept(), 0);
    return;
  }
  for (std::size_t at = 0; at < path_.kept(); ++at) {
    ended_of(execution.steps.process(at)) = ended_after_[at];
  }
}

Futures::Some& Anticipation::ended_of(ProcessId process) {
  if (ended_.size() <= index(process)) ended_.resize(index(process) + 1);
  return ended_[index(process)];
}

void Anticipation::count_steps() {
  const Execution& execution = path_.execution();
  steps_.clear();
  for (std::size_t at = 0; at < execution.size(); ++at) {
    const std::size_t process = index(execution.steps.process(at));
    if (steps_.size() <= process) steps_.resize(process + 1);
    ++steps_[process];
  }
}

void Anticipation::learn(const Step& step, std::uint32_t nth, Futures::Some ended) {
  if (!futures_.learn(step, nth, ended)) return;
  for (std::size_t at = 0; at < undisturbed_.size(); ++at) {
    const Step taken = undisturbed_[at];
    if (taken.process() == step.process()) continue;
    if (step.exits || footprints_conflict(vocabulary_, step.widest(), taken.accesses)) {
      mistaken_ = true;
    }
  }
}

void Anticipation::rely_on(const Step& step) {
  for (std::size_t at = 0; at < undisturbed_.size(); ++at) {
    if (same_step(undisturbed_[at], step)) return;
  }
  undisturbed_.push_back(step);
}

// Whether some step that another process has not taken yet may conflict with this one.
bool Anticipation::may_be_disturbed(const Step& step) const {
  for (std::size_t other = 0; other < futures_.processes(); ++other) {
    const auto process = static_cast<ProcessId>(other);
    if (process != step.process() &&
        futures_.may_conflict(vocabulary_, process, steps_of(process), step)) {
      return true;
    }
  }
  return false;
}

// If the execution ends here, a race of some later step with an event of the path is not seen, and
// where it was explored before, in another order, it may have been no race.
bool Anticipation::rely_on_cut() {
  const Execution& execution = path_.execution();
  count_steps();
  for (std::size_t at = execution.size(); at-- > 0;) {
    if (may_be_disturbed(execution.steps[at])) return false;
  }
  for (std::size_t at = 0; at < execution.size(); ++at) rely_on(execution.steps[at]);
  return true;
}

}  // namespace mazurka
