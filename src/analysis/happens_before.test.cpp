#include "analysis/happens_before.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "analysis/made_execution.test.hpp"

namespace mazurka {
namespace {

class HappensBeforeTest : public MadeExecution {
 protected:
  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  Pairs races(std::size_t kept = 0) {
    happens_before_.update(execution_, kept);
    Pairs pairs;
    for (const Race& race : happens_before_.races()) pairs.emplace_back(race.first, race.second);
    return pairs;
  }

  HappensBefore happens_before_{vocabulary_};
};

TEST_F(HappensBeforeTest, OnlyNeighboursInTheOrderRace) {
  event(0, {access(0, write)});
  event(1, {access(0, write)});
  event(2, {access(0, write)});
  EXPECT_EQ(races(), (Pairs{{0, 1}, {1, 2}}));
  EXPECT_TRUE(happens_before_.before(0, 2));
  EXPECT_FALSE(happens_before_.before(2, 0));
  EXPECT_TRUE(happens_before_.before(1, 1));
}

TEST_F(HappensBeforeTest, AWriteRacesWithEveryReadBefore) {
  event(0, {access(0, read)});
  event(1, {access(0, read)});
  event(2, {access(0, write)});
  EXPECT_EQ(races(), (Pairs{{1, 2}, {0, 2}}));
  EXPECT_FALSE(happens_before_.before(0, 1));
}

TEST_F(HappensBeforeTest, ARunOfSumsRacesWithTheReadsOnBothSides) {
  event(0, {access(0, read)});
  event(1, {access(0, sum)});
  event(2, {access(0, sum)});
  event(3, {access(0, read)});
  event(4, {access(0, read)});
  EXPECT_EQ(races(), (Pairs{{0, 1}, {0, 2}, {2, 3}, {1, 3}, {2, 4}, {1, 4}}));
  EXPECT_FALSE(happens_before_.before(1, 2));
  EXPECT_TRUE(happens_before_.before(0, 4));
}

TEST_F(HappensBeforeTest, WhatIsBeforeARunIsBeforeAllThatFollows) {
  event(0, {access(0, write)});
  event(1, {access(0, sum)});
  event(2, {access(0, read)});
  event(3, {access(0, sum)});
  event(4, {access(0, write)});
  EXPECT_EQ(races(), (Pairs{{0, 1}, {1, 2}, {2, 3}, {3, 4}}));
  cut_to(3);
  event(4, {access(0, sum)});
  event(3, {access(0, sum)});
  event(0, {access(0, read)});
  EXPECT_EQ(races(3), (Pairs{{2, 3}, {2, 4}, {4, 5}, {3, 5}}));
}

TEST_F(HappensBeforeTest, OnlyWhatDependsOnAsMuchHidesWhatIsFurtherBack) {
  enum : std::uint8_t { send, receive, look, wait };
  const std::uint8_t mailbox =
      vocabulary_.add_kind("mailbox", {{"send"}, {"receive"}, {"look"}, {"wait"}});
  const std::pair<std::uint8_t, std::uint8_t> independent[] = {
      {send, receive}, {receive, look}, {look, look}, {wait, send},
      {wait, receive}, {wait, look},    {wait, wait}};
  for (const auto& [one, other] : independent) {
    vocabulary_.declare_independent(mailbox, one, other);
  }
  const std::uint8_t modes[] = {send, look, look, receive, wait, send, receive, send};
  for (unsigned process = 0; process < std::size(modes); ++process) {
    event(process, {{ObjectId{5}, mailbox, modes[process]}});
  }
  // A look depends on sends and does not hide another look; the second send hides the first.
  EXPECT_EQ(races(), (Pairs{{0, 1}, {0, 2}, {2, 5}, {1, 5}, {3, 6}, {5, 7}}));
  EXPECT_TRUE(happens_before_.before(0, 7));
  EXPECT_FALSE(happens_before_.before(3, 7));
  EXPECT_FALSE(happens_before_.before(0, 4));
}

TEST_F(HappensBeforeTest, ProgramOrderHidesRaces) {
  event(0, {access(0, write)});
  event(0, {access(1, write)});
  event(1, {access(1, read)});
  event(1, {access(0, read)});
  EXPECT_EQ(races(), (Pairs{{1, 2}}));
}

TEST_F(HappensBeforeTest, NotAfterListsWhatCouldHaveComeFirst) {
  event(0, {access(0, write)});
  event(1, {access(1, write)});
  event(2, {access(0, read)});
  event(1, {access(2, write)});
  races();
  std::vector<std::uint32_t> found;
  happens_before_.not_after(0, 4, found);
  EXPECT_EQ(found, (std::vector<std::uint32_t>{1, 3}));
  found.clear();
  happens_before_.not_after(0, 2, found);
  EXPECT_EQ(found, (std::vector<std::uint32_t>{1}));
}

TEST_F(HappensBeforeTest, AcquisitionsRaceAndReleasesOnlyOrder) {
  event(0, {mutex_access(lock)}, 0);
  event(0, {mutex_access(unlock)}, 1);
  event(1, {mutex_access(lock)}, 0);
  EXPECT_EQ(races(), (Pairs{{0, 2}}));
  EXPECT_TRUE(happens_before_.before(1, 2));
}

TEST_F(HappensBeforeTest, AStepThatIsStillDisabledRacesWithTheAcquisition) {
  event(0, {mutex_access(lock)}, 0);
  waiting(1, {mutex_access(lock)});
  happens_before_.update(execution_, 0);
  ASSERT_EQ(happens_before_.races().size(), 1U);
  EXPECT_EQ(happens_before_.races()[0].kind, Race::Kind::pending);
  EXPECT_EQ(happens_before_.races()[0].first, 0U);
}

TEST_F(HappensBeforeTest, CreationAndJoinOrderWithoutRaces) {
  const std::vector<ProcessId> child{ProcessId{1}};
  const std::vector<Access> write_x{access(0, write)};
  Step create = step(0, {});
  create.released = child;
  event(create);
  event(step(1, write_x), 0, 0);
  Step join = step(0, {});
  join.awaited = ProcessId{1};
  event(join);
  event(0, {access(0, read)});
  EXPECT_EQ(races(), Pairs{});
  EXPECT_TRUE(happens_before_.before(0, 1));
  EXPECT_TRUE(happens_before_.before(1, 2));
}

TEST_F(HappensBeforeTest, ExitComesAfterEverybodyElse) {
  event(0, {access(0, write)});
  event(1, {access(1, write)});
  Step exit = step(2, {});
  exit.exits = true;
  event(exit);
  EXPECT_EQ(races(), Pairs{});
  EXPECT_TRUE(happens_before_.before(0, 2));
  EXPECT_TRUE(happens_before_.before(1, 2));
}

TEST_F(HappensBeforeTest, OutcomesAreAlternatives) {
  Step choose = step(0, {});
  choose.choices = 3;
  choose.decision.choice = 1;
  event(choose);
  happens_before_.update(execution_, 0);
  ASSERT_EQ(happens_before_.races().size(), 2U);
  EXPECT_EQ(happens_before_.races()[0].kind, Race::Kind::alternative);
  EXPECT_EQ(happens_before_.races()[0].choice, 0U);
  EXPECT_EQ(happens_before_.races()[1].choice, 2U);
}

TEST_F(HappensBeforeTest, KeepsWhatTheNextExecutionRepeats) {
  event(0, {access(0, write)});
  event(1, {access(0, write)});
  event(2, {access(0, write)});
  races();
  cut_to(1);
  event(2, {access(0, write)});
  event(20, {access(0, read)});  // more processes than before: the clocks must grow
  EXPECT_EQ(races(1), (Pairs{{0, 1}, {1, 2}}));
  EXPECT_TRUE(happens_before_.before(0, 2));
}

TEST_F(HappensBeforeTest, WhoWaitsForASignalRacesWithNothing) {
  event(0, {mutex_access(lock)}, 0);
  waiting(1, {mutex_access(lock)});
  execution_.pending_state[0].released = false;
  EXPECT_EQ(races(), Pairs{});
}

TEST_F(HappensBeforeTest, WhoCouldHaveMovedRacesWithTheExit) {
  event(0, {access(0, write)});
  Step exit = step(2, {});
  exit.exits = true;
  event(exit);
  waiting(1, {access(1, write)});
  execution_.pending_state[0].enabled = true;
  happens_before_.update(execution_, 0);
  ASSERT_EQ(happens_before_.races().size(), 1U);
  EXPECT_EQ(happens_before_.races()[0].kind, Race::Kind::pending);
  EXPECT_EQ(happens_before_.races()[0].first, 1U);
}

TEST_F(HappensBeforeTest, ALockThatWasHeldBeforeTheEventDoesNotRaceWithIt) {
  event(0, {mutex_access(lock)}, 0);
  event(1, {access(0, write)});
  event(0, {mutex_access(unlock)}, 1);
  event(1, {mutex_access(lock)}, 0);
  event(1, {mutex_access(unlock)}, 1);
  event(2, {mutex_access(lock)}, 0);
  // The lock of 2 could have come before that of 1, and before that of 0 once 1's is out of the
  // way.
  EXPECT_EQ(races(), (Pairs{{0, 3}, {3, 5}}));
}

TEST_F(HappensBeforeTest, APendingStepKnowsWhatHasReleasedIt) {
  event(0, {mutex_access(lock)}, 0);
  const std::array<ProcessId, 1> child{ProcessId{1}};
  Step create = step(0, {});
  create.released = child;
  event(create);
  waiting(1, {mutex_access(lock)});
  execution_.pending_state[0].cause = 1;  // it came into being after the lock
  EXPECT_EQ(races(), Pairs{});
}

/// One pair of events that need not be ordered.
class OnePair final : public LooseOrder {
 public:
  OnePair(std::uint32_t first, std::uint32_t second) : first_(first), second_(second) {}
  [[nodiscard]] bool loose(std::uint32_t first, std::uint32_t second) override {
    return first == first_ && second == second_;
  }
  [[nodiscard]] bool irrelevant(const Access&, const Access&, std::size_t) override {
    return false;
  }
  [[nodiscard]] bool strict(ObjectId) const override { return false; }

 private:
  std::uint32_t first_;
  std::uint32_t second_;
};

TEST_F(HappensBeforeTest, WhatIsLooseHidesNoRaceFurtherBack) {
  event(0, {access(0, write)});
  event(1, {access(0, write)});
  event(2, {access(0, write)});
  OnePair loose(1, 2);
  happens_before_.update(execution_, 0, &loose);
  EXPECT_FALSE(happens_before_.before(1, 2));
  EXPECT_TRUE(happens_before_.before(0, 2));
  Pairs pairs;
  for (const Race& race : happens_before_.races()) pairs.emplace_back(race.first, race.second);
  EXPECT_EQ(pairs, (Pairs{{0, 1}, {0, 2}}));
}

TEST_F(HappensBeforeTest, KnowsTheLatestEventOfEachProcess) {
  event(0, {access(0, write)});
  event(1, {access(1, write)});
  event(0, {access(2, write)});
  races();
  EXPECT_EQ(happens_before_.last_event(ProcessId{0}), 2U);
  EXPECT_EQ(happens_before_.last_event(ProcessId{1}), 1U);
  EXPECT_EQ(happens_before_.last_event(ProcessId{7}), no_event);
  cut_to(1);
  races(1);
  EXPECT_EQ(happens_before_.last_event(ProcessId{0}), 0U);
  EXPECT_EQ(happens_before_.last_event(ProcessId{1}), no_event);
}

TEST_F(HappensBeforeTest, WhoGoesOnWithAChainNeedsNoneOfItsOwn) {
  constexpr unsigned processes = 400;
  for (unsigned process = 0; process < processes; ++process) {
    event(process, {access(process % 2, write)});
  }
  happens_before_.update(execution_, 0);
  EXPECT_LT(happens_before_.width(), processes);
  EXPECT_TRUE(happens_before_.before(0, processes - 2));
  EXPECT_FALSE(happens_before_.before(0, processes - 1));
}

}  // namespace
}  // namespace mazurka
