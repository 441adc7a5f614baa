#include "programs/threads/runtime/memory_model/firm_order.hpp"

#include <gtest/gtest.h>

namespace mazurka::threads {
namespace {

constexpr ProcessId a{0};
constexpr ProcessId b{1};
constexpr ProcessId c{2};
constexpr ObjectId lock{7};
constexpr ObjectId other_lock{3};
constexpr std::uintptr_t place = 4096;

VectorClock knows(ProcessId process, std::uint32_t ticks) {
  VectorClock clock;
  for (std::uint32_t tick = 0; tick < ticks; ++tick) clock.tick(process);
  return clock;
}

TEST(FirmOrder, NothingFirmIsBetweenThem) {
  FirmOrder order;
  EXPECT_TRUE(order.access(a, 1, {}, place, 4, AccessKind::write));
  EXPECT_FALSE(order.access(b, 1, {}, place, 4, AccessKind::read));
}

TEST(FirmOrder, CreatingAndJoiningAreFirm) {
  FirmOrder order;
  EXPECT_TRUE(order.access(a, 3, {}, place, 4, AccessKind::write));
  EXPECT_TRUE(order.access(b, 1, knows(a, 3), place, 4, AccessKind::write));
  EXPECT_FALSE(order.access(c, 1, knows(a, 2), place, 4, AccessKind::write));
}

TEST(FirmOrder, ACommonLockIsEnough) {
  FirmOrder order;
  order.take(a, lock);
  order.take(a, other_lock);
  EXPECT_TRUE(order.access(a, 1, {}, place, 4, AccessKind::write));
  order.give_back(a, lock);
  order.give_back(a, other_lock);
  order.take(b, lock);
  EXPECT_TRUE(order.access(b, 1, {}, place, 4, AccessKind::write));
  order.give_back(b, lock);
  order.take(c, other_lock);
  EXPECT_FALSE(order.access(c, 1, {}, place, 4, AccessKind::read));  // b held another one
}

TEST(FirmOrder, AnAccessBeforeTheLockWasTakenCounts) {
  FirmOrder order;
  EXPECT_TRUE(order.access(a, 1, {}, place, 4, AccessKind::write));
  order.take(a, lock);
  EXPECT_TRUE(order.access(a, 1, {}, place, 4, AccessKind::write));
  order.give_back(a, lock);
  order.take(b, lock);
  EXPECT_FALSE(order.access(b, 1, {}, place, 4, AccessKind::write));
}

TEST(FirmOrder, OnlyWhatConflictsIsOfInterest) {
  FirmOrder order;
  EXPECT_TRUE(order.access(a, 1, {}, place, 2, AccessKind::write));
  EXPECT_TRUE(order.access(b, 1, {}, place + 2, 2, AccessKind::write));
  EXPECT_TRUE(order.access(a, 1, {}, place + 8, 8, AccessKind::read));
  EXPECT_TRUE(order.access(b, 1, {}, place + 8, 8, AccessKind::read));
  EXPECT_TRUE(order.access(a, 1, {}, place + 16, 8, AccessKind::atomic_write));
  EXPECT_TRUE(order.access(b, 1, {}, place + 16, 8, AccessKind::atomic_write));
  EXPECT_FALSE(order.access(c, 1, {}, place + 16, 8, AccessKind::read));
}

TEST(FirmOrder, AccessesOfManyGranules) {
  FirmOrder order;
  EXPECT_TRUE(order.access(a, 1, {}, place + 5, 30, AccessKind::write));
  EXPECT_TRUE(order.access(b, 1, {}, place, 5, AccessKind::write));
  EXPECT_TRUE(order.access(b, 1, {}, place + 35, 5, AccessKind::write));
  EXPECT_FALSE(order.access(b, 1, {}, place + 34, 1, AccessKind::read));
  EXPECT_FALSE(order.access(c, 1, {}, place + 16, 1, AccessKind::read));
}

}  // namespace
}  // namespace mazurka::threads
