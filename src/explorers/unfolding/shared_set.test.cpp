#include "explorers/unfolding/shared_set.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <vector>

namespace mazurka::unfolding {
namespace {

using Plain = std::set<EventId>;

EventSet bits_of(const Plain& plain) {
  EventSet bits;
  for (const EventId event : plain) bits.insert(event);
  return bits;
}

// Sets that are made of each other, as histories are, beside ones that share nothing.
TEST(SharedSet, AgreesWithPlainSets) {
  constexpr EventId greatest = 7000;
  std::mt19937 random(11);
  const auto any = [&](std::size_t below) {
    return std::uniform_int_distribution<std::size_t>(0, below - 1)(random);
  };
  std::vector<SharedSet> shared(6);
  std::vector<Plain> plain(shared.size());
  for (int round = 0; round < 4000; ++round) {
    const std::size_t one = any(shared.size());
    const std::size_t other = any(shared.size());
    const auto event = static_cast<EventId>(any(greatest));
    switch (any(16)) {
      case 0:
        shared[one] |= shared[other];
        plain[one].insert(plain[other].begin(), plain[other].end());
        break;
      case 1:
        shared[one] = shared[other];
        plain[one] = plain[other];
        break;
      case 2:
        if (any(8) != 0) break;
        shared[one].clear();
        plain[one].clear();
        break;
      case 3:
        std::erase_if(plain[one], [&](EventId member) { return member % 3 == event % 3; });
        shared[one] &= bits_of(plain[one]);
        break;
      default: shared[one].insert(event); plain[one].insert(event);
    }
    EXPECT_EQ(shared[one].contains(event), plain[one].contains(event));

    EventSet members;
    shared[other].add_to(members);
    ASSERT_EQ(members, bits_of(plain[other])) << "round " << round;
  }
}

TEST(SharedSet, TellsWhatIsInNoneOfTheOthers) {
  SharedSet all;
  SharedSet some;
  EventSet others;
  Plain expected;
  for (EventId event = 0; event < 6000; event += 7) {
    all.insert(event);
    if (event % 2 == 0) some.insert(event);
    if (event % 3 == 0) others.insert(event);
    if (event % 2 != 0 && event % 3 != 0) expected.insert(event);
  }
  Plain found;
  all.for_each_without(some, others, [&](EventId event) { found.insert(event); });
  EXPECT_EQ(found, expected);
}

TEST(SharedSet, MeetsWhereBothHaveAMember) {
  for (const EventId event : {EventId{5}, EventId{1023}, EventId{1024}, EventId{5000}}) {
    SharedSet one;
    one.insert(event);
    EXPECT_TRUE(one.meets(bits_of({3, event, 6000})));
    EXPECT_FALSE(one.meets(bits_of({event - 1, event + 1})));
    EXPECT_FALSE(one.meets({}));
  }
}

}  // namespace
}  // namespace mazurka::unfolding
