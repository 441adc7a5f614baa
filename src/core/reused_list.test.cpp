#include "core/reused_list.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace mazurka {
namespace {

using Lists = ReusedList<std::vector<int>>;

TEST(ReusedList, AnElementThatIsUsedAgainIsBlank) {
  Lists lists;
  lists.push_back({1, 2, 3});
  lists = Lists();
  EXPECT_TRUE(lists.empty());
  lists.grow(2);
  EXPECT_EQ(lists.size(), 2U);
  EXPECT_TRUE(lists[0].empty());
}

TEST(ReusedList, ItsElementsKeepTheirMemory) {
  Lists lists;
  lists.push_back({1, 2, 3});
  const int* const memory = lists[0].data();
  lists = Lists();
  lists.push_back({4, 5});
  EXPECT_EQ(lists[0].data(), memory);
  EXPECT_EQ(lists.back(), (std::vector<int>{4, 5}));
}

TEST(ReusedList, WhatWasThereBeforeDoesNotCount) {
  Lists one;
  one.push_back({1});
  one = Lists();
  EXPECT_EQ(one, Lists());
  Lists other;
  other.push_back({2});
  one = other;
  EXPECT_EQ(one, other);
  EXPECT_EQ(one.end() - one.begin(), 1);
}

}  // namespace
}  // namespace mazurka
