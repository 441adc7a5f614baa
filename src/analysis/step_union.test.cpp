#include "analysis/step_union.hpp"

#include <gtest/gtest.h>

#include "analysis/random_steps.test.hpp"

namespace mazurka {
namespace {

using StepUnionTest = RandomSteps;

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
