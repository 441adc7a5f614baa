#include "core/process_sets.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace mazurka {
namespace {

ProcessSet set_of(std::initializer_list<std::size_t> numbers) {
  ProcessSet set;
  for (const std::size_t number : numbers) set.insert(static_cast<ProcessId>(number));
  return set;
}

std::vector<std::size_t> members(const ProcessSets::View& set) {
  std::vector<std::size_t> found;
  set.for_each([&](ProcessId process) { found.push_back(index(process)); });
  return found;
}

TEST(ProcessSets, KeepsEachSet) {
  ProcessSets sets;
  sets.push_back(set_of({3, 1000, 7}));
  sets.push_back({});
  sets.push_back(set_of({64}));
  ASSERT_EQ(sets.size(), 3U);
  EXPECT_EQ(members(sets[0]), (std::vector<std::size_t>{3, 7, 1000}));
  EXPECT_EQ(sets[1].size(), 0U);
  EXPECT_TRUE(sets[0].contains(static_cast<ProcessId>(7)));
  EXPECT_FALSE(sets[0].contains(static_cast<ProcessId>(64)));
  EXPECT_TRUE(sets[2].contains(static_cast<ProcessId>(64)));
}

TEST(ProcessSets, KnowsTheFirstThatIsNotInAnother) {
  ProcessSets sets;
  sets.push_back(set_of({3, 7, 64, 1000}));
  EXPECT_EQ(sets[0].first_without({}), ProcessId{3});
  EXPECT_EQ(sets[0].first_without(set_of({3})), ProcessId{7});
  EXPECT_EQ(sets[0].first_without(set_of({3, 7})), ProcessId{64});
  EXPECT_EQ(sets[0].first_without(set_of({3, 7, 64})), ProcessId{1000});
  EXPECT_EQ(sets[0].first_without(set_of({3, 7, 64, 1000})), no_process);
}

TEST(ProcessSets, ForgetsTheLast) {
  ProcessSets sets;
  sets.push_back(set_of({1, 2}));
  sets.push_back(set_of({2}));
  sets.truncate(5);
  EXPECT_EQ(sets.size(), 2U);
  sets.truncate(1);
  sets.push_back(set_of({9}));
  ASSERT_EQ(sets.size(), 2U);
  EXPECT_EQ(members(sets[0]), (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(members(sets[1]), (std::vector<std::size_t>{9}));
  sets.truncate(0);
  EXPECT_EQ(sets.size(), 0U);
}

}  // namespace
}  // namespace mazurka
