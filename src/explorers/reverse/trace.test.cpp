#include "explorers/reverse/trace.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/made_execution.test.hpp"
#include "explorers/reverse/process_order.hpp"

namespace mazurka::reverse {
namespace {

enum BarrierMode : std::uint8_t { arrive, leave };
enum CounterMode : std::uint8_t { add, await };

class TraceTest : public MadeExecution {
 protected:
  TraceTest() {
    const auto complete = [](std::uint16_t, std::uint64_t value) { return value >= 2; };
    barrier_ =
        vocabulary_.add_kind("barrier", {{.name = "arrive", .counted = true}, {"leave", complete}});
    vocabulary_.declare_independent(barrier_, arrive, arrive);
    vocabulary_.declare_independent(barrier_, leave, leave);
    counter_ = vocabulary_.add_kind("counter", {{.name = "add"}, {"await", complete}});
    vocabulary_.declare_independent(counter_, add, add);
  }

  Trace& trace(std::size_t kept = 0) {
    if (!trace_) trace_.emplace(vocabulary_);
    trace_->update(execution_, kept);
    return *trace_;
  }
  [[nodiscard]] Access at_barrier(std::uint8_t mode) const { return {ObjectId{5}, barrier_, mode}; }
  [[nodiscard]] Access at_counter(std::uint8_t mode) const { return {ObjectId{6}, counter_, mode}; }
  MutableCut cut(std::vector<std::uint32_t> counts) {
    counts.resize(trace_->order().width());
    return counts;
  }

  std::uint8_t barrier_ = 0;
  std::uint8_t counter_ = 0;
  std::optional<Trace> trace_;
};

TEST_F(TraceTest, AMutexIsFreeAfterAsManyLocksAsUnlocks) {
  event(0, {mutex_access(lock)}, 0);
  event(0, {mutex_access(unlock)}, 1);
  event(1, {mutex_access(lock)}, 0);
  waiting(2, {mutex_access(lock)});
  const Trace& seen = trace();
  const StepRef second{2, true};
  EXPECT_TRUE(seen.can_be_taken(second, cut({0, 0, 0})));
  EXPECT_FALSE(seen.can_be_taken(second, cut({1, 0, 0})));
  EXPECT_TRUE(seen.can_be_taken(second, cut({2, 0, 0})));
  const StepRef third{0, false};
  EXPECT_TRUE(seen.can_be_taken(third, cut({2, 0, 0})));
  EXPECT_FALSE(seen.can_be_taken(third, cut({2, 1, 0})));  // it is left waiting
}

TEST_F(TraceTest, OfArrivalsOnlyTheNumberMatters) {
  event(0, {at_barrier(arrive)}, 0);
  event(1, {at_barrier(arrive)}, 1);
  event(2, {at_barrier(arrive)}, 2);
  event(0, {at_barrier(leave)}, 3);
  const Trace& seen = trace();
  EXPECT_EQ(seen.objection(), "");
  const StepRef leaving{3, true};
  EXPECT_FALSE(seen.can_be_taken(leaving, cut({1, 0, 0})));
  EXPECT_TRUE(seen.can_be_taken(leaving, cut({1, 0, 1})));
  EXPECT_TRUE(seen.can_be_taken(leaving, cut({1, 1, 0})));
}

TEST_F(TraceTest, WhatIsAddedInAnyOrderIsNotJudged) {
  event(0, {at_counter(add)});
  event(1, {at_counter(add)});
  waiting(2, {at_counter(await)});
  EXPECT_NE(trace().objection(), "");
}

TEST_F(TraceTest, NorIsAStepThatWaitsForTwoObjects) {
  event(0, {mutex_access(lock)});
  EXPECT_EQ(trace().objection(), "");
  waiting(1, {mutex_access(lock), at_barrier(leave)});
  EXPECT_NE(trace(1).objection(), "");
}

TEST_F(TraceTest, AStepNeedsWhatItsProcessDidAndWhoReleasedIt) {
  event(0, {access(0, write)});
  event(1, {access(1, write)});
  event(step(1, {access(2, write)}), 0, 0);
  const Trace& seen = trace();
  MutableCut needed;
  seen.needed_by({2, true}, needed);
  EXPECT_EQ(needed, cut({1, 1}));
  EXPECT_TRUE(seen.contains(needed, 0));
  EXPECT_FALSE(seen.contains(needed, 2));
}

TEST_F(TraceTest, EventsThatAreNotRepeatedAreForgotten) {
  event(0, {mutex_access(lock)}, 0);
  event(0, {mutex_access(unlock)}, 1);
  event(1, {mutex_access(lock)}, 0);
  EXPECT_EQ(trace().changes(ObjectId{9}).size(), 3U);
  cut_to(1);
  waiting(1, {mutex_access(lock)});
  EXPECT_EQ(trace(1).changes(ObjectId{9}).size(), 1U);
  EXPECT_FALSE(trace_->can_be_taken({0, false}, cut({1, 0})));
}

TEST(ProcessOrder, IsByNameAndNotByNumber) {
  ProcessNames names;
  ProcessOrder order(names);
  const ProcessId second = names.child(ProcessId{0}, 1);
  const ProcessId first = names.child(ProcessId{0}, 0);
  const ProcessId grandchild = names.child(first, 0);
  order.update();
  EXPECT_TRUE(order.comes_before(ProcessId{0}, first));
  EXPECT_TRUE(order.comes_before(first, grandchild));
  EXPECT_TRUE(order.comes_before(grandchild, second));
  EXPECT_FALSE(order.comes_before(second, first));
}

}  // namespace
}  // namespace mazurka::reverse
