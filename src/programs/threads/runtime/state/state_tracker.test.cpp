// The fingerprint of the state follows what was written and what was told, and nothing else.
#include "programs/threads/runtime/state/state_tracker.hpp"

#include <gtest/gtest.h>

#include <array>

namespace mazurka::threads {
namespace {

constexpr ProcessId a{0}, b{1};

class StateTrackerTest : public testing::Test {
 protected:
  void write(StateTracker& tracker, std::size_t at, std::uint8_t value) {
    tracker.will_write(reinterpret_cast<std::uintptr_t>(&bytes_[at]), 1, true);
    bytes_[at] = value;
  }
  alignas(8) std::array<std::uint8_t, 16> bytes_{};
};

TEST_F(StateTrackerTest, WritingWhatIsThereChangesNothing) {
  StateTracker tracker;
  write(tracker, 3, 0);
  EXPECT_EQ(tracker.settle(), Fingerprint{});
  write(tracker, 3, 1);
  const Fingerprint there = tracker.settle();
  EXPECT_NE(there, Fingerprint{});
  write(tracker, 3, 0);
  EXPECT_EQ(tracker.settle(), there);  // back again
}

TEST_F(StateTrackerTest, NeighboursDoNotTellInWhichOrderTheyWereWritten) {
  StateTracker tracker;
  write(tracker, 0, 1);
  Fingerprint one = tracker.settle();
  write(tracker, 1, 2);
  one ^= tracker.settle();
  bytes_ = {};
  StateTracker another;
  write(another, 1, 2);
  Fingerprint other = another.settle();
  write(another, 0, 1);
  other ^= another.settle();
  EXPECT_EQ(one, other);
}

TEST_F(StateTrackerTest, WhatWasNotedBeforeRepeatedStepsIsNoPartOfTheState) {
  StateTracker tracker;
  write(tracker, 0, 1);
  tracker.tell(a, 1);
  tracker.watch(false);
  bytes_ = {7};  // what an earlier execution has left there
  StateTracker another;
  write(another, 0, 1);
  another.tell(a, 1);
  another.watch(false);
  EXPECT_EQ(tracker, another);
}

TEST_F(StateTrackerTest, TwoWritesOfOneStepCountOnce) {
  StateTracker tracker;
  write(tracker, 0, 1);
  write(tracker, 0, 2);
  const Fingerprint twice = tracker.settle();
  bytes_ = {};
  write(tracker, 0, 2);
  EXPECT_EQ(tracker.settle(), twice);
}

TEST_F(StateTrackerTest, WhatIsBackAtTheEndOfAStepHasNotChanged) {
  StateTracker tracker;
  write(tracker, 0, 1);
  write(tracker, 1, 1);
  write(tracker, 0, 0);
  write(tracker, 1, 2);
  write(tracker, 1, 0);
  EXPECT_EQ(tracker.settle(), Fingerprint{});
  write(tracker, 0, 1);
  write(tracker, 0, 0);
  write(tracker, 0, 2);
  const Fingerprint changed = tracker.settle();
  bytes_[0] = 0;
  write(tracker, 0, 2);
  EXPECT_EQ(tracker.settle(), changed);
}

TEST_F(StateTrackerTest, WhatAProcessIsToldBelongsToItsStateInOrder) {
  StateTracker one, other;
  one.tell(a, 1);
  one.tell(a, 2);
  other.tell(a, 2);
  other.tell(a, 1);
  EXPECT_NE(one.settle(), other.settle());
  StateTracker third, fourth;
  third.tell(a, 1);
  third.tell(b, 2);
  fourth.tell(b, 2);
  fourth.tell(a, 1);
  EXPECT_EQ(third.settle(), fourth.settle());
}

TEST_F(StateTrackerTest, LookingAtEverythingFindsTheSame) {
  StateTracker tracker;
  tracker.go_through_everything(true);
  write(tracker, 5, 9);
  const Fingerprint whole = tracker.settle();
  bytes_ = {};
  StateTracker usual;
  write(usual, 5, 9);
  EXPECT_EQ(usual.settle(), whole);
}

}  // namespace
}  // namespace mazurka::threads
