// The execution that a printed algorithm is in the middle of.
#pragma once

#include <vector>

#include "oracle/printed.hpp"
#include "oracle/printed_events.hpp"

namespace mazurka::oracle::printed {

class Run {
 public:
  Run(const Model& model, Footprints footprints, Processes preference);

  Event take(std::size_t process);
  void take_back();

  [[nodiscard]] const std::vector<Event>& events() const { return events_; }
  /// Before the event of that number.
  [[nodiscard]] const State& state(std::size_t event) const { return states_[event]; }
  [[nodiscard]] const State& state() const { return states_.back(); }
  /// The enabled processes, the preferred ones first.
  [[nodiscard]] Processes enabled() const;
  [[nodiscard]] std::optional<Path> follow(const State& from, const Processes& sequence) const {
    return printed::follow(model_, footprints_, from, sequence);
  }
  [[nodiscard]] Processes processes(const Indices& events) const;
  /// Adds the execution, which is complete, to what was found.
  void record(Found& found) const;

 private:
  const Model& model_;
  Footprints footprints_;
  Processes preference_;
  std::vector<Event> events_;
  std::vector<State> states_;
};

}  // namespace mazurka::oracle::printed
