#include "analysis/sequence_index.hpp"

#include <gtest/gtest.h>

#include "analysis/random_steps.test.hpp"

namespace mazurka {
namespace {

class SequenceIndexTest : public RandomSteps {
 protected:
  SequenceIndexTest() {
    processes = 60;
    objects = 50;
  }
  /// By looking through what is left.
  [[nodiscard]] bool disturbed(const StepList& sequence, const Remainder& left,
                               const Step& step) const {
    for (std::uint32_t at = left.first(); at != left.end(); at = left.next(at)) {
      if (sequence.process(at) == step.process()) return false;
      if (dependent(vocabulary_, sequence[at], step)) return true;
    }
    return false;
  }
  static std::uint32_t first_of(const StepList& sequence, const Remainder& left,
                                ProcessId process) {
    std::uint32_t at = left.first();
    while (at != left.end() && sequence.process(at) != process) at = left.next(at);
    return at;
  }
};

TEST_F(SequenceIndexTest, FindsWhatLookingThroughTheSequenceFinds) {
  SequenceIndex index(vocabulary_);
  unsigned disturbed_ones = 0;
  unsigned asked = 0;
  for (unsigned round = 0; round < 500; ++round) {
    StepList sequence;
    for (unsigned count = lot(30); count > 0; --count) sequence.push_back(random_step());
    Remainder left;
    left.reset(sequence.size());
    const auto take_one_out = [&] {
      const unsigned at = lot(static_cast<unsigned>(sequence.size()) + 1);
      if (at < sequence.size() && left.contains(at)) left.take_out(at);
    };
    for (unsigned count = lot(4); count > 0; --count) take_one_out();
    index.build(sequence, left);
    for (unsigned count = 20; count > 0; --count, ++asked) {
      const Step step = random_step();
      const bool expected = disturbed(sequence, left, step);
      ASSERT_EQ(index.disturbs(step, left), expected) << "round " << round;
      ASSERT_EQ(index.first_of(step.process(), left), first_of(sequence, left, step.process()));
      if (expected) ++disturbed_ones;
      take_one_out();
    }
  }
  EXPECT_GT(disturbed_ones, asked / 5);
  EXPECT_LT(disturbed_ones, asked * 4 / 5);
}

}  // namespace
}  // namespace mazurka
