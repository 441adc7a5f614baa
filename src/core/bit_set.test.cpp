#include "core/bit_set.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "core/process_set.hpp"

namespace mazurka {
namespace {

constexpr std::uint32_t nothing = 100'000;
using Numbers = BitSet<std::uint32_t, nothing>;

Numbers numbers(const std::set<std::uint32_t>& members) {
  Numbers set;
  for (const std::uint32_t member : members) set.insert(member);
  return set;
}
std::set<std::uint32_t> members(const Numbers& set) {
  std::set<std::uint32_t> found;
  set.for_each([&](std::uint32_t member) { found.insert(member); });
  return found;
}
using Set = std::set<std::uint32_t>;

TEST(BitSet, HoldsWhatIsPutInAndNothingElse) {
  Numbers set;
  EXPECT_TRUE(set.empty());
  EXPECT_EQ(set.last(), nothing);
  for (const std::uint32_t member : {0U, 63U, 64U, 65U, 300U}) set.insert(member);
  EXPECT_EQ(members(set), (Set{0, 63, 64, 65, 300}));
  EXPECT_EQ(set.size(), 5U);
  EXPECT_EQ(set.last(), 300U);
  EXPECT_FALSE(set.contains(1) || set.contains(128) || set.contains(999));
  set.erase(300);
  set.erase(700);  // was no member
  EXPECT_EQ(set.last(), 65U);
  set.erase(64);
  set.erase(65);
  EXPECT_EQ(set.last(), 63U);
  set.clear();
  EXPECT_TRUE(set.empty());
  EXPECT_EQ(set.size(), 0U);
}

TEST(BitSet, FindsTheFirst) {
  const Numbers set = numbers({3, 64, 130});
  EXPECT_EQ(set.first_without(Numbers{}), 3U);
  EXPECT_EQ(set.first_without(numbers({3})), 64U);
  EXPECT_EQ(set.first_without(numbers({3}), numbers({64, 65})), 130U);
  EXPECT_EQ(set.first_without(numbers({3, 64, 130, 200})), nothing);
  EXPECT_EQ(set.first_that([](std::uint32_t member) { return member > 3; }), 64U);
  EXPECT_EQ(set.first_that([](std::uint32_t member) { return member > 130; }), nothing);
}

void expect_same(const Numbers& set, const Set& expected) {
  EXPECT_EQ(members(set), expected);
  EXPECT_EQ(set.size(), expected.size());
  EXPECT_EQ(set.empty(), expected.empty());
  EXPECT_EQ(set.last(), expected.empty() ? nothing : *expected.rbegin());
  EXPECT_EQ(set.first_without({}), expected.empty() ? nothing : *expected.begin());
}

// Against sets that are known to work, of sizes around one word and more.
TEST(BitSet, AgreesWithOtherSets) {
  std::mt19937 chance(1);
  const auto below = [&](std::uint32_t limit) {
    return static_cast<std::uint32_t>(chance() % limit);
  };
  const auto draw = [&](std::uint32_t limit) {
    Set drawn;
    for (std::uint32_t at = below(40); at > 0; --at) drawn.insert(below(limit));
    return drawn;
  };
  std::size_t met = 0;
  for (int round = 0; round < 600; ++round) {
    const std::uint32_t large = round % 5 == 0 ? 10'000 : 200;
    const Set one = draw(round % 2 == 0 ? 64 : large);
    const Set other = draw(round % 3 == 0 ? 64 : large);
    Set both;
    Set common;
    Set rest;
    std::set_union(one.begin(), one.end(), other.begin(), other.end(),
                   std::inserter(both, both.end()));
    std::set_intersection(one.begin(), one.end(), other.begin(), other.end(),
                          std::inserter(common, common.end()));
    std::set_difference(one.begin(), one.end(), other.begin(), other.end(),
                        std::inserter(rest, rest.end()));
    expect_same(numbers(one) |= numbers(other), both);
    expect_same(numbers(one) &= numbers(other), common);
    expect_same(numbers(one) -= numbers(other), rest);
    EXPECT_EQ(numbers(one).meets(numbers(other)), !common.empty());
    EXPECT_EQ(numbers(one) == numbers(other), one == other);
    Numbers erased = numbers(one);
    for (const std::uint32_t member : other) erased.erase(member);
    expect_same(erased, rest);
    erased.clear();
    expect_same(erased, {});
    expect_same(erased |= numbers(other), other);
    if (!common.empty()) ++met;
  }
  EXPECT_GT(met, 200U);
  EXPECT_LT(met, 600U);
}

TEST(BitSet, RowsOfWords) {
  std::vector<Word> one(words_for(130), 0);
  std::vector<Word> other(one.size(), 0);
  ASSERT_EQ(one.size(), 3U);
  for (const std::size_t bit : {0U, 64U, 129U}) insert(one.data(), bit);
  insert(other.data(), 64);
  EXPECT_TRUE(contains(one.data(), 129));
  EXPECT_FALSE(contains(one.data(), 128));
  EXPECT_TRUE(subset(other.data(), one.data(), 3));
  EXPECT_FALSE(subset(one.data(), other.data(), 3));
  EXPECT_TRUE(meet(one.data(), other.data(), 3));
  EXPECT_FALSE(unite(one.data(), other.data(), 3));
  EXPECT_TRUE(unite(other.data(), one.data(), 3));
  std::vector<std::size_t> bits;
  for_each_bit(other.data(), 3, [&](std::size_t bit) { bits.push_back(bit); });
  EXPECT_EQ(bits, (std::vector<std::size_t>{0, 64, 129}));
  EXPECT_EQ(first_bit_that(0b1010, [](std::size_t bit) { return bit > 1; }), 3U);
  EXPECT_EQ(first_bit_that(0b1010, [](std::size_t bit) { return bit > 3; }), word_bits);
}

TEST(BitSet, OfProcesses) {
  ProcessSet set;
  EXPECT_EQ(set.first_without({}), no_process);
  set.insert(ProcessId{70});
  EXPECT_EQ(set.first_without({}), ProcessId{70});
}

}  // namespace
}  // namespace mazurka
