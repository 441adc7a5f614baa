#include "analysis/sleep_stack.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "analysis/made_execution.test.hpp"

namespace mazurka {
namespace {

class SleepStackTest : public MadeExecution {
 protected:
  /// Process `process` falls asleep at the node, with one of so many outcomes.
  void push(unsigned process, std::size_t node, std::uint16_t choice = 0,
            std::uint16_t choices = 1) {
    const std::vector<Access> accesses{access(process, write)};
    Step sleeper = step(process, accesses);
    sleeper.decision.choice = choice;
    sleeper.choices = choices;
    stack_.push(sleeper, node);
  }
  std::vector<unsigned> asleep_at(std::size_t node) {
    StepList collected;
    stack_.collect(node, collected);
    std::vector<unsigned> processes;
    for (std::size_t at = 0; at < collected.size(); ++at) {
      processes.push_back(static_cast<unsigned>(collected.process(at)));
    }
    return processes;
  }
  /// The execution that leaves the path at the node wakes the sleepers at these events.
  void wake(std::size_t node, std::vector<std::uint32_t> events) {
    StepList collected;
    stack_.collect(node, collected);
    ASSERT_EQ(collected.size(), events.size());
    execution_.woken = std::move(events);
    stack_.absorb(execution_);
  }
  using Processes = std::vector<unsigned>;

  SleepStack stack_;
};

TEST_F(SleepStackTest, AStepSleepsFromItsNodeOn) {
  push(0, 2);
  push(1, 4);
  EXPECT_EQ(asleep_at(1), Processes{});
  EXPECT_EQ(asleep_at(2), (Processes{0}));
  EXPECT_EQ(asleep_at(4), (Processes{0, 1}));
  EXPECT_EQ(asleep_at(9), (Processes{0, 1}));
}

TEST_F(SleepStackTest, UpToTheNodeBeforeTheEventThatWakesIt) {
  push(0, 1);
  push(1, 1);
  wake(1, {3, no_event});
  EXPECT_EQ(asleep_at(3), (Processes{0, 1}));  // the state before event 3
  EXPECT_EQ(asleep_at(4), (Processes{1}));
  EXPECT_EQ(stack_.woken(0), 3U);
  EXPECT_EQ(stack_.woken(1), no_event);
}

TEST_F(SleepStackTest, OnlyThoseThatWereCollectedAreWoken) {
  push(0, 1);
  wake(1, {2});
  push(1, 4);
  wake(4, {6});  // 0 is not asleep there any more
  EXPECT_EQ(stack_.woken(0), 2U);
  EXPECT_EQ(stack_.woken(1), 6U);
}

TEST_F(SleepStackTest, WhatFellAsleepFurtherDownIsForgotten) {
  push(0, 1);
  push(1, 5);
  push(2, 3);
  EXPECT_EQ(asleep_at(9), (Processes{0, 2}));
  stack_.forget_below(1);
  EXPECT_EQ(asleep_at(9), (Processes{0}));
  push(3, 1);
  EXPECT_EQ(asleep_at(1), (Processes{0, 3}));
}

TEST_F(SleepStackTest, KnowsDecisionsWhereTheySleep) {
  push(0, 1, 1, 2);
  wake(1, {2});
  EXPECT_TRUE(stack_.contains({ProcessId{0}, 1}, 2));
  EXPECT_FALSE(stack_.contains({ProcessId{0}, 0}, 2));
  EXPECT_FALSE(stack_.contains({ProcessId{0}, 1}, 3));
  EXPECT_FALSE(stack_.contains({ProcessId{0}, 1}, 0));
}

TEST_F(SleepStackTest, FindsAnOutcomeThatIsAwake) {
  EXPECT_EQ(stack_.free_choice(ProcessId{0}, 1), 0);
  push(0, 1, 1, 3);
  EXPECT_EQ(stack_.free_choice(ProcessId{0}, 1), 0);
  push(0, 1, 0, 3);
  EXPECT_EQ(stack_.free_choice(ProcessId{0}, 1), 2);
  push(0, 2, 2, 3);
  EXPECT_EQ(stack_.free_choice(ProcessId{0}, 1), 2);
  EXPECT_EQ(stack_.free_choice(ProcessId{0}, 2), std::nullopt);
  EXPECT_EQ(stack_.free_choice(ProcessId{0}, 2, 2), 0);  // only what fell asleep at 2
  EXPECT_EQ(stack_.free_choice(ProcessId{1}, 2), 0);
}

TEST_F(SleepStackTest, IsTheSameAfterAJourney) {
  push(0, 1, 1, 2);
  push(1, 3);
  wake(3, {no_event, 4});
  std::vector<std::byte> bytes;
  ArchiveWriter writer(bytes);
  stack_.save(writer);
  SleepStack back;
  ArchiveReader reader(bytes);
  back.load(reader, 5);
  reader.expect_end();
  ASSERT_EQ(back.size(), 2U);
  EXPECT_EQ(back.born(1), 3U);
  EXPECT_EQ(back.woken(1), 4U);
  EXPECT_TRUE(back.contains({ProcessId{0}, 1}, 5));
  EXPECT_FALSE(back.contains({ProcessId{1}, 0}, 5));

  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ArchiveReader cut(std::span<const std::byte>(bytes).first(size));
    EXPECT_THROW(SleepStack().load(cut, 5), ArchiveError) << size;
  }
  ArchiveReader shorter(bytes);
  EXPECT_THROW(SleepStack().load(shorter, 2), ArchiveError);  // there is no node 3
}

}  // namespace
}  // namespace mazurka
