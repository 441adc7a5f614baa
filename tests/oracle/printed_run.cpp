#include "oracle/printed_run.hpp"

#include <utility>

#include "oracle/brute_force.hpp"

namespace mazurka::oracle::printed {

Run::Run(const Model& model, Footprints footprints, Processes preference)
    : model_(model),
      footprints_(footprints),
      preference_(std::move(preference)),
      states_{initial_state(model)} {}

Event Run::take(std::size_t process) {
  State next = states_.back();
  events_.push_back(perform(model_, footprints_, next, process));
  states_.push_back(next);
  return events_.back();
}

void Run::take_back() {
  events_.pop_back();
  states_.pop_back();
}

Processes Run::enabled() const {
  Processes able;
  for (const std::size_t process : preference_) {
    if (oracle::enabled(model_, states_.back(), process)) able.push_back(process);
  }
  return able;
}

Processes Run::processes(const Indices& events) const {
  Processes sequence;
  for (const std::size_t event : events) sequence.push_back(events_[event].process);
  return sequence;
}

void Run::record(Found& found) const {
  Interleaving interleaving(model_);
  for (const Event& event : events_) interleaving.take({event.process, 0});
  ++found.executions;
  found.traces.insert(interleaving.trace());
  found.states.insert(interleaving.state().bytes());
  found.observable.insert(observable_part(interleaving.state()));
  found.failures.merge(interleaving.failures());
  if (deadlocked(model_, interleaving.state())) found.failures.insert("deadlock");
}

}  // namespace mazurka::oracle::printed
