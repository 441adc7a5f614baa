// Several steps taken together: whether a step depends on any of them takes no longer than whether
// it depends on one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/check.hpp"
#include "core/process_set.hpp"
#include "core/step.hpp"
#include "core/vocabulary.hpp"

namespace mazurka {

class StepUnion {
 public:
  explicit StepUnion(const Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  void clear() {
    ++current_;
    movers_.clear();
    awaited_.clear();
    released_.clear();
    exits_ = false;
  }

  void add(const Step& step) {
    movers_.insert(step.process());
    if (step.awaited != no_process) awaited_.insert(step.awaited);
    for (const ProcessId process : step.released) released_.insert(process);
    exits_ = exits_ || step.exits;
    for (const Access& access : step.accesses) {
      if (objects_.size() <= index(access.object)) objects_.resize(index(access.object) + 1);
      Modes& modes = objects_[index(access.object)];
      if (modes.of != current_) modes = {current_, 0};
      MAZURKA_CHECK(access.mode < max_modes, "there is a bit for each mode");
      modes.bits |= static_cast<std::uint16_t>(1U << access.mode);
    }
  }

  /// Whether one of them is dependent with the step (core/step.hpp).
  [[nodiscard]] bool dependent(const Step& step) const {
    if (movers_.contains(step.process()) || exits_ || (step.exits && !movers_.empty())) return true;
    if (awaited_.contains(step.process()) || released_.contains(step.process())) return true;
    if (step.awaited != no_process && movers_.contains(step.awaited)) return true;
    return std::any_of(step.released.begin(), step.released.end(),
                       [&](ProcessId process) { return movers_.contains(process); }) ||
           std::any_of(step.accesses.begin(), step.accesses.end(),
                       [&](const Access& access) { return touches(access); });
  }

 private:
  struct Modes {
    std::uint64_t of = 0;  // the rest is of this union
    std::uint16_t bits = 0;
  };

  [[nodiscard]] bool touches(const Access& access) const {
    if (objects_.size() <= index(access.object)) return false;
    const Modes& modes = objects_[index(access.object)];
    return modes.of == current_ && (modes.bits & vocabulary_.related_modes(access)) != 0;
  }

  const Vocabulary& vocabulary_;
  std::uint64_t current_ = 1;  // how many there were
  ProcessSet movers_;
  ProcessSet awaited_;
  ProcessSet released_;
  bool exits_ = false;
  std::vector<Modes> objects_;
};

}  // namespace mazurka
