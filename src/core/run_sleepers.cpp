#include "core/run_sleepers.hpp"

#include <algorithm>
#include <numeric>

#include "core/check.hpp"

namespace mazurka {

void RunSleepers::start(const StepList& steps, std::vector<std::uint32_t>& woken) {
  steps_ = &steps;
  woken_ = &woken;
  woken.assign(steps.size(), no_event);
  left_.resize(steps.size());
  std::iota(left_.begin(), left_.end(), 0U);
  processes_.clear();
  for (std::size_t at = 0; at < steps.size(); ++at) {
    const Step sleeper = steps[at];
    MAZURKA_CHECK(sleeper.decision.choice < sleeper.choices, "an outcome sleeps that the step has");
    if (sleeper.choices == 1 || awake_choice(sleeper.process()) == sleeper.choices) {
      processes_.insert(sleeper.process());
    }
  }
}

std::uint16_t RunSleepers::awake_choice(ProcessId process) const {
  const auto is_asleep = [&](Decision decision) {
    return std::any_of(left_.begin(), left_.end(),
                       [&](std::uint32_t at) { return steps_->decision(at) == decision; });
  };
  std::uint16_t choice = 0;
  while (is_asleep({process, choice})) ++choice;
  return choice;
}

void RunSleepers::wake_some(const Vocabulary& vocabulary, const Step& step, std::size_t event) {
  MAZURKA_CHECK(woken_->size() == steps_->size(),
                "each sleeping step has its place for who woke it");
  std::size_t kept = 0;
  for (const std::uint32_t at : left_) {
    const Step sleeper = (*steps_)[at];
    if (dependent(vocabulary, step, sleeper)) {
      (*woken_)[at] = static_cast<std::uint32_t>(event);
      processes_.erase(sleeper.process());
    } else {
      left_[kept++] = at;
    }
  }
  left_.resize(kept);
}

}  // namespace mazurka
