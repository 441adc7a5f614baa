// The sleeping steps of a schedule, while it is performed.
//
// A sleeper wakes at the first event that is dependent with it. A process is asleep as long as
// every outcome of its next step is.
#pragma once

#include <cstdint>
#include <vector>

#include "core/execution.hpp"
#include "core/ids.hpp"
#include "core/process_set.hpp"
#include "core/step.hpp"
#include "core/vocabulary.hpp"

namespace mazurka {

class RunSleepers {
 public:
  /// All of them are asleep. `woken`: takes the event that wakes each. Both must stay.
  void start(const StepList& steps, std::vector<std::uint32_t>& woken);

  /// The processes that are asleep, whatever comes of their next step.
  [[nodiscard]] const ProcessSet& processes() const { return processes_; }
  /// The first outcome of the process's next step that is not asleep.
  [[nodiscard]] std::uint16_t awake_choice(ProcessId process) const;

  /// The step is event number `event`.
  void wake_dependent(const Vocabulary& vocabulary, const Step& step, std::size_t event) {
    if (!left_.empty()) wake_some(vocabulary, step, event);
  }

 private:
  void wake_some(const Vocabulary& vocabulary, const Step& step, std::size_t event);

  const StepList* steps_ = nullptr;
  std::vector<std::uint32_t>* woken_ = nullptr;
  std::vector<std::uint32_t> left_;  // indices of steps that are not woken yet
  ProcessSet processes_;
};

}  // namespace mazurka
