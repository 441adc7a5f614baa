#include "analysis/step_union.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "analysis/made_execution.test.hpp"

namespace mazurka {
namespace {

class StepUnionTest : public MadeExecution {
 protected:
  /// Some step of few processes on few objects, so that most are dependent with something.
  Step random_step() {
    accesses_.clear();
    for (unsigned count = lot(3); count > 0; --count) {
      const auto mode = static_cast<std::uint8_t>(lot(2));
      accesses_.push_back(lot(4) == 0 ? mutex_access(mode) : access(lot(4), mode));
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
  ProcessId some_process() { return static_cast<ProcessId>(lot(processes)); }

  static constexpr unsigned processes = 12;
  std::mt19937 lots_{7};
  std::vector<Access> accesses_;
  std::vector<ProcessId> released_;
};

TEST_F(StepUnionTest, IsDependentWithWhatOneOfItsStepsIs) {
  StepUnion together(vocabulary_);
  unsigned dependent_ones = 0;
  constexpr unsigned rounds = 20'000;
  for (unsigned round = 0; round < rounds; ++round) {
    together.clear();
    StepList apart;
    for (unsigned count = lot(4); count > 0; --count) {
      apart.push_back(random_step());
      together.add(apart[apart.size() - 1]);
    }
    const Step other = random_step();
    bool expected = false;
    for (std::size_t at = 0; at < apart.size(); ++at) {
      expected = expected || dependent(vocabulary_, apart[at], other);
    }
    ASSERT_EQ(together.dependent(other), expected) << "round " << round;
    if (expected) ++dependent_ones;
  }
  EXPECT_GT(dependent_ones, rounds / 4);
  EXPECT_LT(dependent_ones, rounds * 3 / 4);
}

}  // namespace
}  // namespace mazurka
