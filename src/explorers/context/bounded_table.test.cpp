#include "explorers/context/bounded_table.hpp"

#include <gtest/gtest.h>

#include "explorers/context/known_states.hpp"
#include "explorers/context/transitions.hpp"

namespace mazurka {
namespace {

struct Itself {
  std::uint64_t operator()(std::uint64_t key) const { return key; }
};
using Small =
    BoundedTable<std::uint64_t, int, Itself, TableSize{.first = 8, .last = 32, .group = 4}>;

template <typename Table>
std::size_t count_known(const Table& table, std::uint64_t keys) {
  std::size_t known = 0;
  for (std::uint64_t key = 0; key < keys; ++key) {
    if (table.find(key) != nullptr) ++known;
  }
  return known;
}

TEST(BoundedTable, KnowsWhatWasPutIn) {
  Small table;
  EXPECT_EQ(table.find(3), nullptr);
  table.insert(3, 30);
  table.insert(4, 40);
  ASSERT_NE(table.find(3), nullptr);
  EXPECT_EQ(*table.find(3), 30);
  ASSERT_NE(table.find(4), nullptr);
  EXPECT_EQ(*table.find(4), 40);
  EXPECT_EQ(table.find(11), nullptr);  // the same group as 3
}

TEST(BoundedTable, AKeyHasOneValue) {
  Small table;
  for (int value = 0; value < 100; ++value) table.insert(7, value);
  ASSERT_NE(table.find(7), nullptr);
  EXPECT_EQ(*table.find(7), 99);
  EXPECT_EQ(count_known(table, 1000), 1U);
}

TEST(BoundedTable, NothingIsForgottenWhileItGrows) {
  Small table;
  for (std::uint64_t key = 0; key < 32; ++key) {
    table.insert(key, static_cast<int>(key));
    ASSERT_EQ(count_known(table, 32), key + 1);
  }
  for (std::uint64_t key = 0; key < 32; ++key) EXPECT_EQ(*table.find(key), static_cast<int>(key));
}

TEST(BoundedTable, PastItsLimitTheNewTakesThePlaceOfSomethingOld) {
  Small table;
  for (std::uint64_t key = 0; key < 1000; ++key) {
    table.insert(key, static_cast<int>(key));
    ASSERT_NE(table.find(key), nullptr);
    EXPECT_EQ(*table.find(key), static_cast<int>(key));
    ASSERT_LE(count_known(table, 1000), 32U);
  }
  EXPECT_EQ(count_known(table, 1000), 32U);
}

Fingerprint state(std::uint64_t number) { return fingerprint_of(number, 0); }

TEST(BoundedTable, ManyStatesAreKnown) {
  KnownStates states;
  constexpr std::uint32_t many = 100'000;
  for (std::uint32_t at = 0; at < many; ++at) states.insert(state(at), at);
  for (std::uint32_t at = 0; at < many; ++at) {
    const std::uint32_t* prospects = states.find(state(at));
    ASSERT_NE(prospects, nullptr) << at;
    EXPECT_EQ(*prospects, at);
  }
  EXPECT_EQ(states.find(state(many)), nullptr);
}

TEST(BoundedTable, TransitionsAreKnownByStateAndProcess) {
  Transitions transitions;
  constexpr std::uint64_t many = 20'000;
  for (std::uint64_t at = 0; at < many; ++at) {
    transitions.insert({state(at), ProcessId{0}}, state(at + 1));
    transitions.insert({state(at), ProcessId{1}}, state(at + 2));
  }
  for (std::uint64_t at = 0; at < many; ++at) {
    const Fingerprint* first = transitions.find({state(at), ProcessId{0}});
    const Fingerprint* second = transitions.find({state(at), ProcessId{1}});
    ASSERT_NE(first, nullptr) << at;
    ASSERT_NE(second, nullptr) << at;
    EXPECT_EQ(*first, state(at + 1));
    EXPECT_EQ(*second, state(at + 2));
  }
  EXPECT_EQ(transitions.find({state(0), ProcessId{2}}), nullptr);
}

}  // namespace
}  // namespace mazurka
