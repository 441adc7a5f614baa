#include "analysis/backtrack_sets.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace mazurka {
namespace {

constexpr Decision p{ProcessId{0}, 0};
constexpr Decision q{ProcessId{1}, 0};
constexpr Decision other_q{ProcessId{1}, 1};

TEST(BacktrackSets, GiveBackWhatIsAskedForInThatOrder) {
  BacktrackSets sets;
  EXPECT_EQ(sets.deepest(), no_node);
  EXPECT_TRUE(sets.decisions(5).empty());
  sets.add(5, q);
  sets.add(70, other_q);
  sets.add(5, p);
  EXPECT_TRUE(sets.contains(5, q) && sets.contains(5, p) && sets.contains(70, other_q));
  EXPECT_FALSE(sets.contains(5, other_q) || sets.contains(6, q) || sets.contains(99, q));
  EXPECT_EQ(sets.deepest(), 70U);
  EXPECT_EQ(sets.take(70), other_q);
  EXPECT_EQ(sets.deepest(), 5U);
  EXPECT_EQ(sets.take(5), q);
  EXPECT_EQ(sets.deepest(), 5U);
  EXPECT_EQ(sets.take(5), p);
  EXPECT_EQ(sets.deepest(), no_node);
}

TEST(BacktrackSets, AreTheSameAfterAJourney) {
  BacktrackSets sets;
  sets.add(1, p);
  sets.add(3, q);
  sets.add(3, other_q);
  std::vector<std::byte> bytes;
  ArchiveWriter writer(bytes);
  sets.save(writer);

  BacktrackSets back;
  ArchiveReader reader(bytes);
  back.load(reader, 4);
  reader.expect_end();
  EXPECT_EQ(back.take(back.deepest()), q);
  EXPECT_EQ(back.take(back.deepest()), other_q);
  EXPECT_EQ(back.deepest(), 1U);

  ArchiveReader too_short(bytes);
  EXPECT_THROW(BacktrackSets().load(too_short, 3), ArchiveError);  // there is no node 3
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    ArchiveReader cut(std::span<const std::byte>(bytes).first(size));
    EXPECT_THROW(BacktrackSets().load(cut, 4), ArchiveError) << size;
  }
}

}  // namespace
}  // namespace mazurka
