#include "core/table.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/ids.hpp"

namespace mazurka {
namespace {

using Numbers = Table<ObjectId, std::vector<int>>;

TEST(Table, ValuesComeIntoBeingBlankAndAreGoneAtOnce) {
  Numbers table;
  EXPECT_EQ(table.find(ObjectId{3}), nullptr);
  table[ObjectId{3}].push_back(7);
  ASSERT_NE(table.find(ObjectId{3}), nullptr);
  EXPECT_EQ(table.find(ObjectId{2}), nullptr);  // it is there to be used, but is not
  EXPECT_EQ(table.end(), 4U);
  table.clear();
  EXPECT_EQ(table.find(ObjectId{3}), nullptr);
  EXPECT_EQ(table.end(), 0U);
  EXPECT_TRUE(table[ObjectId{3}].empty());
}

TEST(Table, KeepsTheMemoryOfItsValues) {
  Numbers table;
  table[ObjectId{0}].reserve(1000);
  const int* before = table[ObjectId{0}].data();
  table.clear();
  EXPECT_EQ(table[ObjectId{0}].data(), before);
  table = Numbers{};
  EXPECT_EQ(table[ObjectId{0}].data(), before);
}

TEST(Table, IsAValue) {
  Numbers table;
  table[ObjectId{5}] = {1, 2};
  const Numbers copy = table;
  EXPECT_EQ(copy, table);
  table[ObjectId{5}].push_back(3);
  EXPECT_NE(copy, table);
  table = copy;
  EXPECT_EQ(copy, table);
  table[ObjectId{1}];  // a blank one counts
  EXPECT_NE(copy, table);
  table.erase(ObjectId{1});
  EXPECT_EQ(copy, table);
}

TEST(Table, OrderOfUseDoesNotMatterToWhatItIs) {
  Table<std::uint32_t, std::string> one, other;
  one[1] = "a";
  one[0] = "b";
  other[0] = "b";
  other[1] = "a";
  EXPECT_EQ(one, other);
  std::string all;
  one.for_each([&](const std::string& value) { all += value; });
  EXPECT_EQ(all, "ba");
}

TEST(Table, ReferencesStayGoodWhileItGrows) {
  Numbers table;
  std::vector<int>& first = table[ObjectId{0}];
  for (std::uint32_t at = 1; at < 1000; ++at) table[ObjectId{at}];
  EXPECT_EQ(&first, &table[ObjectId{0}]);
}

}  // namespace
}  // namespace mazurka
