// Where states of processes are taken down.
#include "programs/threads/runtime/loops/repeated_sites.hpp"

#include <gtest/gtest.h>

namespace mazurka::threads {
namespace {

constexpr ProcessId one{1}, other{2};
constexpr std::uintptr_t here = 0x4000'1000, there = 0x4000'1004;

TEST(RepeatedSites, BelongToOneProcess) {
  RepeatedSites sites;
  EXPECT_FALSE(sites.contains(one, here));
  sites.insert(one, here);
  EXPECT_TRUE(sites.contains(one, here));
  EXPECT_FALSE(sites.contains(one, there));
  EXPECT_FALSE(sites.contains(other, here));
}

TEST(RepeatedSites, AreEverywhereWhenTooMuchIsPerformedAgain) {
  RepeatedSites sites;
  sites.note_cost(1'000, 2'000);
  EXPECT_FALSE(sites.contains(one, here));
  sites.note_cost(100'000, 100'000'000);
  EXPECT_FALSE(sites.contains(one, here));
  sites.note_cost(100'000, 200'000);
  EXPECT_TRUE(sites.contains(one, here));
}

}  // namespace
}  // namespace mazurka::threads
