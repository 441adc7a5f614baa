// What several replies come to: nothing that one of them rests on is forgotten.
#include "host/replies.hpp"

#include <gtest/gtest.h>

namespace mazurka::host {
namespace {

Grounds all_grounds() {
  Grounds grounds;
  // A member that is added has to be named here, and merged.
  auto& [weak_orders, sampled, chance, clocks, interacted, as_strong, object, unordered, unexplored,
         message_races, time_matters, went_ahead, unseen_at, order_matters, order_object] = grounds;
  weak_orders = sampled = chance = clocks = interacted = true;
  message_races = time_matters = went_ahead = order_matters = true;
  as_strong = "a fence";
  object = {.address = 0x1000, .size = 4, .stack = {1, 2}, .ends = {3}};
  order_object = {.address = 0x2000, .size = 8, .stack = {4}, .ends = {5}};
  unseen_at = 0x3000;
  unordered = "a file";
  unexplored = "a test";
  return grounds;
}

TEST(Replies, RestOnAllThatOneOfThemRestsOn) {
  const Grounds all = all_grounds();
  Grounds merged;
  add_grounds(merged, all);
  EXPECT_EQ(merged, all);
  add_grounds(merged, {});
  EXPECT_EQ(merged, all);
}

// The object is that of the reason which is told, not of another one.
TEST(Replies, TheObjectBelongsToTheReason) {
  Grounds first;
  first.as_strong = "a call";
  Grounds merged = first;
  add_grounds(merged, all_grounds());
  EXPECT_EQ(merged.as_strong, "a call");
  EXPECT_EQ(merged.as_strong_object, RawObject{});
  EXPECT_TRUE(merged.clocks);
}

TEST(Replies, KnowAllThatOneOfThemKnowsOfTheSteps) {
  Refinement one;
  auto& [exposed, escaped, guards, ordered, latches_by_library] = one;
  exposed = {8, 16};
  escaped = {15};
  guards = {31, 39};
  ordered = {24};
  latches_by_library = true;
  Refinement merged;
  add_refinement(merged, one);
  EXPECT_EQ(merged, one);
  add_refinement(merged, {});
  EXPECT_EQ(merged, one);
}

TEST(Replies, EachDefectCountsOnce) {
  const auto found = [](const char* key) {
    RawFinding one;
    one.finding.key = key;
    return one;
  };
  std::vector<RawFinding> all;
  std::vector<RawFinding> more{found("one"), found("two"), found("one")};
  add_findings(all, more, true);
  EXPECT_EQ(all.size(), 2U);
  std::vector<RawFinding> first;
  std::vector<RawFinding> again{found("one"), found("two")};
  add_findings(first, again, false);
  EXPECT_EQ(first.size(), 1U);
}

}  // namespace
}  // namespace mazurka::host
