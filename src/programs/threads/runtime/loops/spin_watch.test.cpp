// What makes two states of a process the same, and what a round of a waiting loop must not do.
#include "programs/threads/runtime/loops/spin_watch.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace mazurka::threads {
namespace {

using State = std::vector<std::uint64_t>;

bool same(const State& one, const State& other, std::int64_t later = 0) {
  return same_state(one.data(), other.data(), one.size(), later);
}

TEST(SameState, IsBitForBitWhileNoTimePasses) {
  EXPECT_TRUE(same({1, 2, 3}, {1, 2, 3}));
  EXPECT_FALSE(same({1, 2, 3}, {1, 2, 4}));
}

TEST(SameState, MayDifferByTheTimeThatHasPassed) {
  EXPECT_TRUE(same({1, 100, 3}, {1, 150, 3}, 50));
  EXPECT_FALSE(same({1, 100, 3}, {1, 151, 3}, 50));
}

TEST(SameState, KnowsSecondsAndNanosecondsAndTheirCopies) {
  constexpr std::uint64_t most = 999'999'990;
  const State one{7, most, 7};
  const State other{8, 10, 8};  // twenty nanoseconds later, and a copy of the seconds
  EXPECT_TRUE(same(one, other, 20));
  EXPECT_FALSE(same(one, other, 21));
}

TEST(SameState, KnowsLargerUnitsOnlyAfterAges) {
  const auto milliseconds = static_cast<std::uint64_t>(ages / 1'000'000);
  EXPECT_TRUE(same({0}, {milliseconds}, ages));
  EXPECT_FALSE(same({0}, {2}, 2'000'000));
}

class SpinWatchTest : public testing::Test {
 protected:
  SpinWatchTest() {
    watch_.start();
    watch_.states.make_room();
    arrive();
  }
  void arrive() {
    SpinWatch::Place place;
    place.code = 1;
    place.fewest = watch_.locks;
    place.reads = static_cast<std::uint32_t>(watch_.reads.size());
    place.writes = static_cast<std::uint32_t>(watch_.writes.size());
    watch_.places.push_back(place);
  }
  void write(std::uint64_t& word, std::uint64_t value, bool local = false) {
    watch_.will_write(reinterpret_cast<std::uintptr_t>(&word), word, sizeof word, local);
    word = value;
  }
  SpinWatch watch_;
};

TEST_F(SpinWatchTest, WritingWhatIsThereIsNoProgress) {
  std::uint64_t word = 5;
  write(word, 5);
  watch_.settle_writes();
  EXPECT_EQ(watch_.places.size(), 1U);
}

TEST_F(SpinWatchTest, WritingAnotherValueIsProgress) {
  std::uint64_t word = 5;
  write(word, 6);
  watch_.settle_writes();
  EXPECT_TRUE(watch_.places.empty());
}

TEST_F(SpinWatchTest, WhatIsPutBackBeforeAnyoneCanLookIsNone) {
  std::uint64_t word = 5;
  write(word, 6);
  write(word, 5);
  watch_.settle_writes();
  EXPECT_EQ(watch_.places.size(), 1U);
}

TEST_F(SpinWatchTest, ItsOwnStackIsItsOwnBusiness) {
  std::uint64_t word = 5;
  write(word, 6, true);
  watch_.settle_writes();
  EXPECT_EQ(watch_.places.size(), 1U);
}

TEST_F(SpinWatchTest, RemembersWhereItHeldTheFewestLocks) {
  watch_.take_lock(10);
  arrive();
  EXPECT_EQ(watch_.places.back().fewest, 1U);
  watch_.give_back_lock(10);
  EXPECT_EQ(watch_.places.back().fewest, 0U);
  EXPECT_EQ(watch_.held, 0U);
}

TEST_F(SpinWatchTest, KnowsWhatItHadItselfWritten) {
  std::array<std::uint64_t, 2> words{};
  write(words[0], 1, true);
  for (std::uint64_t& word : words) {
    watch_.reads.push_back({reinterpret_cast<std::uintptr_t>(&word), word, ObjectId{}, 8});
  }
  EXPECT_TRUE(watch_.own(watch_.places[0], 0));
  EXPECT_FALSE(watch_.own(watch_.places[0], 1));
}

TEST_F(SpinWatchTest, WordOfItsStackThatItChangedEndsThePlaceWhenItIsSeen) {
  SpinWatch::Place& place = watch_.places[0];
  place.stack = 4096;
  place.frames = 0;
  place.known = true;
  watch_.states[0] = 3;
  watch_.states.keep(1);
  watch_.show(4096, 3);
  EXPECT_EQ(place.code, 1U);
  watch_.overwrite(4096, 8);  // by another: as if it had been there before
  watch_.show(4096, 8);
  EXPECT_EQ(place.code, 1U);
  watch_.show(4096, 9);
  EXPECT_EQ(place.code, 0U);
}

TEST_F(SpinWatchTest, ListsReadsFromTheFirstStateThatIsKnown) {
  EXPECT_FALSE(watch_.lists_reads(12));
  EXPECT_EQ(watch_.unlisted, 2U);
  SpinWatch::Place place;
  place.size = 1;
  place.known = true;
  watch_.add(place);
  EXPECT_TRUE(watch_.lists_reads(12));
  EXPECT_EQ(watch_.unlisted, 2U);
  watch_.progress();
  EXPECT_FALSE(watch_.lists_reads(12));
  EXPECT_EQ(watch_.unlisted, 0U);
}

TEST_F(SpinWatchTest, IsFullAfterAsManyWordsWhetherTheyAreKnownOrNot) {
  SpinWatch::Place place;
  place.size = SpinWatch::max_state;
  while (!watch_.is_full()) watch_.add(place);
  EXPECT_EQ(watch_.words, Words::most);
  EXPECT_EQ(watch_.states.kept(), 0U);
}

TEST_F(SpinWatchTest, RoomForMoreLeavesWhatIsKept) {
  watch_.states[0] = 1;
  watch_.states.keep(1);
  SpinWatch copy = watch_;
  copy.states.make_room();
  copy.states[1] = 2;
  EXPECT_EQ(copy.states[0], 1U);
  EXPECT_EQ(copy, watch_);
}

TEST_F(SpinWatchTest, IsAValue) {
  watch_.states[0] = 1;
  watch_.states.keep(1);
  const SpinWatch copy = watch_;
  EXPECT_EQ(copy, watch_);
  watch_.states[0] = 2;
  EXPECT_NE(copy, watch_);
  watch_ = copy;
  EXPECT_EQ(copy, watch_);
}

}  // namespace
}  // namespace mazurka::threads
