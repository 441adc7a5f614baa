#include "programs/threads/runtime/state/logical_time.hpp"

#include <gtest/gtest.h>

namespace mazurka::threads {
namespace {

TEST(LogicalTime, PassesAtEachLookMoreAndMore) {
  LogicalTime time;
  const std::int64_t first = time.look();
  const std::int64_t second_look = time.look();
  const std::int64_t third = time.look();
  EXPECT_GT(first, 0);
  EXPECT_GT(second_look - first, first);
  EXPECT_GT(third - second_look, second_look - first);
  EXPECT_EQ(time.looks, 3U);
}

TEST(LogicalTime, AgesPassOnceWhenTheyAreToPass) {
  LogicalTime time;
  time.ages_pass = true;
  EXPECT_GE(time.look(), ages);
  const std::int64_t then = time.now;
  EXPECT_LT(time.look() - then, ages);
}

TEST(LogicalTime, ComesToAnEndOfAges) {
  LogicalTime time;
  time.now = last_ages;
  time.ages_pass = true;
  EXPECT_LT(time.look(), last_ages + ages);
}

}  // namespace
}  // namespace mazurka::threads
