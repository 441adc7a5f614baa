#include "programs/mpi/window_log.hpp"

#include <gtest/gtest.h>

namespace mazurka::mpi {
namespace {

constexpr ProcessId origin{0};
constexpr ProcessId target{1};
constexpr std::uint64_t sum = 0x21;
constexpr std::uint64_t product = 0x24;
constexpr std::uint64_t nothing = 0x3d;

WindowAccess access(ProcessId process, Touch touch, std::uintptr_t begin, std::uintptr_t end) {
  WindowAccess made;
  made.process = process;
  made.rank = static_cast<std::int32_t>(index(process));
  made.touch = touch;
  made.pieces = {{begin, end}};
  return made;
}

WindowAccess update(ProcessId process, std::uint64_t op) {
  WindowAccess made = access(process, Touch::update, 0, 4);
  made.op = op;
  return made;
}

WindowLog::Clock knowing(ProcessId process, std::uint32_t ticks) {
  WindowLog::Clock clock;
  for (std::uint32_t nth = 0; nth < ticks; ++nth) clock.tick(process);
  return clock;
}

TEST(WindowLog, TwoThatNothingOrdersAreInConflictIfTheyOverlapAndOneWrites) {
  WindowLog log;
  log.add(access(origin, Touch::write, 8, 16));
  EXPECT_NE(log.conflict(access(target, Touch::write, 12, 20), {}), nullptr);
  EXPECT_NE(log.conflict(access(target, Touch::read, 8, 9), {}), nullptr);
  EXPECT_EQ(log.conflict(access(target, Touch::write, 16, 20), {}), nullptr);
}

TEST(WindowLog, ReadsAreNotInConflict) {
  WindowLog log;
  log.add(access(origin, Touch::read, 0, 4));
  EXPECT_EQ(log.conflict(access(target, Touch::read, 0, 4), {}), nullptr);
}

TEST(WindowLog, WhatIsPendingIsNotInTheOrderOfItsOwnProcess) {
  WindowLog log;
  const std::uint64_t id = log.add(access(origin, Touch::write, 0, 4));
  EXPECT_NE(log.conflict(access(origin, Touch::read, 0, 4), knowing(origin, 9)), nullptr);
  log.complete(id, 3);
  EXPECT_EQ(log.conflict(access(origin, Touch::read, 0, 4), knowing(origin, 9)), nullptr);
}

TEST(WindowLog, AnotherProcessMustKnowThatItIsComplete) {
  WindowLog log;
  const std::uint64_t id = log.add(access(origin, Touch::write, 0, 4));
  EXPECT_NE(log.conflict(access(target, Touch::read, 0, 4), knowing(origin, 9)), nullptr);
  log.complete(id, 3);
  EXPECT_NE(log.conflict(access(target, Touch::read, 0, 4), knowing(origin, 2)), nullptr);
  EXPECT_EQ(log.conflict(access(target, Touch::read, 0, 4), knowing(origin, 3)), nullptr);
}

TEST(WindowLog, WhatWasHandedOverIsInTheOrderOfTheTarget) {
  WindowLog log;
  log.add(access(origin, Touch::write, 0, 4));
  log.leave(0, 0);
  EXPECT_EQ(log.pending(0, 0), nullptr);
  log.hand_over(0, 0, 0, target, 5);
  EXPECT_EQ(log.conflict(access(target, Touch::read, 0, 4), {}), nullptr);
  EXPECT_NE(log.conflict(access(origin, Touch::write, 0, 4), knowing(target, 4)), nullptr);
  EXPECT_EQ(log.conflict(access(origin, Touch::write, 0, 4), knowing(target, 5)), nullptr);
}

TEST(WindowLog, UpdatesGoTogetherIfTheyAreAlike) {
  WindowLog log;
  log.add(update(origin, sum));
  EXPECT_EQ(log.conflict(update(target, sum), {}), nullptr);
  EXPECT_EQ(log.conflict(update(target, nothing), {}), nullptr);
  EXPECT_NE(log.conflict(update(target, product), {}), nullptr);
  EXPECT_EQ(log.conflict(update(origin, product), {}), nullptr);  // one rank's are in order
  WindowAccess other_window = update(target, sum);
  other_window.window = 1;
  EXPECT_NE(log.conflict(other_window, {}), nullptr);
  EXPECT_NE(log.conflict(access(target, Touch::read, 0, 4), {}), nullptr);
}

TEST(WindowLog, UpdatesOfTwoMustNotShareAPartOfAnElement) {
  const auto of_ints = [](ProcessId process, std::uint64_t op, std::uintptr_t begin) {
    WindowAccess made = access(process, Touch::update, begin, begin + 8);
    made.op = op;
    made.grain = 4;
    return made;
  };
  WindowLog log;
  log.add(of_ints(origin, sum, 0));
  EXPECT_EQ(log.conflict(of_ints(target, sum, 4), {}), nullptr);
  EXPECT_NE(log.conflict(of_ints(target, sum, 2), {}), nullptr);
  EXPECT_EQ(log.conflict(of_ints(target, sum, 10), {}), nullptr);
  EXPECT_EQ(log.conflict(of_ints(origin, sum, 2), {}), nullptr);
  WindowLog looks;
  looks.add(of_ints(origin, nothing, 0));
  EXPECT_EQ(looks.conflict(of_ints(target, nothing, 2), {}), nullptr);
}

TEST(WindowLog, ARowOfLoadsIsOneAccess) {
  WindowLog log;
  for (std::uintptr_t at = 0; at < 100; at += 4)
    log.add_plain(access(origin, Touch::read, at, at + 4));
  EXPECT_EQ(log.size(), 1U);
  WindowAccess far = access(target, Touch::write, 96, 100);
  EXPECT_EQ(log.conflict(far, {}), nullptr);  // tick 0 is known to all
  WindowAccess later = access(origin, Touch::read, 96, 100);
  later.tick = 1;
  log.add_plain(later);
  EXPECT_EQ(log.size(), 2U);
  EXPECT_NE(log.conflict(far, {}), nullptr);
}

TEST(WindowLog, ForgetsWhatEverybodyKnows) {
  WindowLog log;
  const std::uint64_t id = log.add(access(origin, Touch::write, 0, 4));
  const WindowLog::Clock knows = knowing(origin, 3);
  const WindowLog::Clock does_not = knowing(origin, 1);
  log.forget({&knows});
  EXPECT_EQ(log.size(), 1U);
  log.complete(id, 3);
  log.forget({&knows, &does_not});
  EXPECT_EQ(log.size(), 1U);
  log.forget({&knows});
  EXPECT_EQ(log.size(), 0U);
}

}  // namespace
}  // namespace mazurka::mpi
