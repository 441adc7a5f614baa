#include "analysis/step_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "analysis/made_execution.test.hpp"

namespace mazurka {
namespace {

using StepPoolTest = MadeExecution;

bool same(const Step& one, const Step& other) {
  return same_step(one, other) && one.choices == other.choices && one.awaited == other.awaited &&
         one.exits == other.exits && same_accesses(one.announced, other.announced) &&
         std::equal(one.released.begin(), one.released.end(), other.released.begin(),
                    other.released.end());
}

/// A step, and others that differ from it in one thing each.
std::vector<Step> different_steps() {
  static const std::vector<Access> accesses{{ObjectId{1}, variable, write}};
  static const std::vector<Access> others{{ObjectId{1}, variable, attempt}};
  static const std::vector<ProcessId> released{ProcessId{3}};
  Step plain;
  plain.accesses = accesses;
  std::vector<Step> steps(8, plain);
  steps[1].decision.process = ProcessId{1};
  steps[2].decision.choice = 1;
  steps[3].choices = 2;
  steps[4].awaited = ProcessId{2};
  steps[5].exits = true;
  steps[6].released = released;
  steps[7].announced = others;
  steps.push_back(plain);
  steps.back().accesses = others;
  return steps;
}

TEST_F(StepPoolTest, KeepsEqualStepsOnceAndOthersApart) {
  StepPool pool;
  const std::vector<Step> steps = different_steps();
  std::vector<StepPool::Number> numbers;
  for (const Step& step : steps) numbers.push_back(pool.use(step));
  for (std::size_t at = 0; at < steps.size(); ++at) {
    EXPECT_TRUE(same(pool[numbers[at]], steps[at])) << at;
    EXPECT_EQ(pool.use(steps[at]), numbers[at]) << at;
    EXPECT_EQ(std::count(numbers.begin(), numbers.end(), numbers[at]), 1) << at;
  }
}

TEST_F(StepPoolTest, ForgetsOnlyWhatNobodyUses) {
  StepPool pool;
  const auto step_on = [](unsigned object, std::vector<Access>& accesses) {
    accesses.assign(1, access(object, write));
    return step(0, accesses);
  };
  std::vector<Access> accesses;
  constexpr unsigned used = 10;
  constexpr unsigned many = 100'000;
  std::vector<StepPool::Number> numbers;
  for (unsigned object = 0; object < used; ++object) {
    numbers.push_back(pool.use(step_on(object, accesses)));
  }
  StepPool::Number largest = 0;
  for (unsigned object = used; object < many; ++object) {
    const StepPool::Number passing = pool.use(step_on(object, accesses));
    largest = std::max(largest, passing);
    pool.release(passing);
  }
  EXPECT_LT(largest, many / 10);
  for (unsigned object = 0; object < used; ++object) {
    EXPECT_TRUE(same(pool[numbers[object]], step_on(object, accesses)));
    EXPECT_EQ(pool.use(step_on(object, accesses)), numbers[object]);
  }
}

TEST_F(StepPoolTest, HasTheSameNumbersAfterAJourney) {
  StepPool pool;
  const std::vector<Step> steps = different_steps();
  std::vector<StepPool::Number> numbers;
  for (const Step& step : steps) numbers.push_back(pool.use(step));
  std::vector<std::byte> bytes;
  ArchiveWriter writer(bytes);
  pool.save(writer);
  StepPool back;
  ArchiveReader reader(bytes);
  back.load(reader);
  reader.expect_end();
  for (std::size_t at = 0; at < steps.size(); ++at) {
    back.use_loaded(numbers[at]);
    EXPECT_TRUE(same(back[numbers[at]], steps[at])) << at;
    EXPECT_EQ(back.use(steps[at]), numbers[at]) << at;
  }
  EXPECT_THROW(back.use_loaded(static_cast<StepPool::Number>(steps.size())), ArchiveError);
}

}  // namespace
}  // namespace mazurka
