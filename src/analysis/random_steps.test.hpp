// Random steps of few processes on few objects, so that many are dependent: for tests that compare
// something with the plain definition.
#pragma once

#include <random>
#include <vector>

#include "analysis/made_execution.test.hpp"

namespace mazurka {

class RandomSteps : public MadeExecution {
 protected:
  /// Valid until the next one.
  Step random_step() {
    accesses_.clear();
    for (unsigned count = lot(3); count > 0; --count) {
      const auto mode = static_cast<std::uint8_t>(lot(2));
      accesses_.push_back(lot(4) == 0 ? mutex_access(mode)
                                      : access(first_object + lot(objects), mode));
    }
    released_.clear();
    if (lot(6) == 0) released_.push_back(some_process());
    Step made = step(lot(processes), accesses_);
    if (lot(6) == 0) made.awaited = some_process();
    made.exits = lot(20) == 0;
    made.released = released_;
    return made;
  }
  unsigned lot(unsigned below) { return static_cast<unsigned>(lots_() % below); }

  static constexpr unsigned first_object = 10;  // not the mutex
  unsigned processes = 12;
  unsigned objects = 4;

 private:
  ProcessId some_process() { return static_cast<ProcessId>(lot(processes)); }

  std::mt19937 lots_{7};
  std::vector<Access> accesses_;
  std::vector<ProcessId> released_;
};

}  // namespace mazurka
