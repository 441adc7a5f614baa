// Who knows of what, after atomic operations in each memory order.
#include "programs/threads/runtime/memory_model/atomic_cell.hpp"

#include <gtest/gtest.h>

namespace mazurka::threads {
namespace {

constexpr ProcessId a{0}, b{1}, c{2};
constexpr AtomicResult read{.reads = true}, write{.writes = true},
    update{.reads = true, .writes = true};

class AtomicCellTest : public testing::Test {
 protected:
  AtomicCellTest() {
    for (const ProcessId process : {a, b, c}) of(process).now.tick(process);
  }
  Knowledge& of(ProcessId process) { return knowledge_[index(process)]; }
  void perform(ProcessId process, const AtomicResult& what, MemoryOrder order) {
    cell_.perform(what, order, process, of(process));
  }
  bool add_up(ProcessId process, MemoryOrder order = MemoryOrder::sequentially_consistent,
              std::uint8_t mode = 1) {
    return cell_.add_up(mode, order, process, of(process));
  }
  bool knows(ProcessId one, ProcessId other) { return of(one).now[index(other)] > 0; }

 private:
  AtomicCell cell_;
  Knowledge knowledge_[3];
};

TEST_F(AtomicCellTest, AcquireTakesOverWhatReleasePublishes) {
  perform(a, write, MemoryOrder::release);
  perform(b, read, MemoryOrder::acquire);
  EXPECT_TRUE(knows(b, a));
}

TEST_F(AtomicCellTest, RelaxedPassesNothingOn) {
  perform(a, write, MemoryOrder::relaxed);
  perform(b, read, MemoryOrder::acquire);
  EXPECT_FALSE(knows(b, a));
  perform(a, write, MemoryOrder::release);
  perform(c, read, MemoryOrder::relaxed);
  EXPECT_FALSE(knows(c, a));
}

TEST_F(AtomicCellTest, FencesMakeUpForIt) {
  perform_fence(MemoryOrder::release, a, of(a));
  perform(a, write, MemoryOrder::relaxed);
  perform(b, read, MemoryOrder::relaxed);
  EXPECT_FALSE(knows(b, a));
  perform_fence(MemoryOrder::acquire, b, of(b));
  EXPECT_TRUE(knows(b, a));
}

TEST_F(AtomicCellTest, UpdateContinuesAReleaseSequence) {
  perform(a, write, MemoryOrder::release);
  perform(b, update, MemoryOrder::relaxed);
  perform(c, read, MemoryOrder::acquire);
  EXPECT_TRUE(knows(c, a));
  EXPECT_FALSE(knows(c, b));
}

TEST_F(AtomicCellTest, StoreEndsAReleaseSequence) {
  perform(a, write, MemoryOrder::release);
  perform(b, write, MemoryOrder::relaxed);
  perform(c, read, MemoryOrder::acquire);
  EXPECT_FALSE(knows(c, a));
}

TEST_F(AtomicCellTest, UpdatesInAnyOrderTellThoseWhoComeAfterThem) {
  EXPECT_TRUE(add_up(a));
  EXPECT_FALSE(add_up(b));  // it learns from the other, but may come before it
  EXPECT_FALSE(knows(b, a));
  perform(c, read, MemoryOrder::acquire);
  EXPECT_TRUE(knows(c, a));
  EXPECT_TRUE(knows(c, b));
}

TEST_F(AtomicCellTest, UpdatesInAnyOrderLearnWhatWasBeforeAllOfThem) {
  perform(a, write, MemoryOrder::release);
  EXPECT_TRUE(add_up(b));
  EXPECT_FALSE(add_up(c));
  EXPECT_TRUE(knows(b, a));
  EXPECT_TRUE(knows(c, a));
  EXPECT_FALSE(knows(c, b));
}

TEST_F(AtomicCellTest, WhatIsNoUpdateOfTheModeIsInOrder) {
  EXPECT_TRUE(add_up(a));
  perform(b, read, MemoryOrder::relaxed);
  EXPECT_TRUE(add_up(c));
  EXPECT_TRUE(knows(c, a));
  EXPECT_TRUE(add_up(b, MemoryOrder::sequentially_consistent, 2));
  EXPECT_TRUE(knows(b, c));
}

TEST_F(AtomicCellTest, AnUpdateIsCreditedInFullIfThereIsNothingElseToLearn) {
  EXPECT_TRUE(add_up(a, MemoryOrder::relaxed));
  EXPECT_TRUE(add_up(b, MemoryOrder::acquire));
  EXPECT_TRUE(add_up(b, MemoryOrder::release));
  EXPECT_TRUE(add_up(b));
  EXPECT_FALSE(add_up(c, MemoryOrder::relaxed));  // a fence would make it known
  perform_fence(MemoryOrder::acquire, c, of(c));
  EXPECT_FALSE(knows(c, b));
}

TEST(BitsInAnyOrder, WhoHasSetThemItselfRepeats) {
  BitsInAnyOrder bits;
  EXPECT_FALSE(bits.repeats(a, 1, 0));
  EXPECT_FALSE(bits.repeats(b, 1, 1));  // it might have been the first
  EXPECT_TRUE(bits.repeats(a, 1, 1));
  EXPECT_TRUE(bits.repeats(b, 1, 1));
  EXPECT_FALSE(bits.repeats(a, 3, 1));
  EXPECT_FALSE(bits.repeats(b, 2, 3));
}

TEST(BitsInAnyOrder, WhatWasThereBeforeIsNoChange) {
  BitsInAnyOrder bits;
  EXPECT_TRUE(bits.repeats(a, 1, 1));
  EXPECT_FALSE(bits.repeats(a, 2, 1));
  EXPECT_TRUE(bits.repeats(b, 1, 3));
  EXPECT_FALSE(bits.repeats(b, 2, 3));
}

TEST(BitsInAnyOrder, WhatElseIsDoneWithTheVariableCounts) {
  BitsInAnyOrder bits;
  EXPECT_FALSE(bits.repeats(a, 1, 0));
  EXPECT_FALSE(bits.repeats(a, 1, 0));  // it was cleared in between
  EXPECT_TRUE(bits.repeats(a, 1, 1));
}

}  // namespace
}  // namespace mazurka::threads
