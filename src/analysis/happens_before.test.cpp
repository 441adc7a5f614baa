#include "analysis/happens_before.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace mazurka {
namespace {

enum Mode : std::uint8_t { read, write };
enum MutexMode : std::uint8_t { lock, unlock };
constexpr std::uint8_t variable = 0;
constexpr std::uint8_t mutex = 1;

class HappensBeforeTest : public testing::Test {
 protected:
  HappensBeforeTest() {
    vocabulary_.add_kind("variable", {{"read"}, {"write"}});
    vocabulary_.declare_independent(variable, read, read);
    vocabulary_.add_kind(
        "mutex",
        {{"lock", [](std::uint16_t, std::uint64_t value) { return value == 0; }}, {"unlock"}});
  }

  static Access access(unsigned object, std::uint8_t mode) {
    return {ObjectId{object}, variable, mode};
  }
  static Access mutex_access(std::uint8_t mode) { return {ObjectId{9}, mutex, mode}; }

  static Step step(unsigned process, const std::vector<Access>& accesses) {
    Step made;
    made.decision.process = static_cast<ProcessId>(process);
    made.accesses = accesses;
    return made;
  }

  void event(unsigned process, const std::vector<Access>& accesses, std::uint64_t before = 0) {
    event(step(process, accesses), before);
  }
  void event(const Step& made, std::uint64_t before = 0, std::uint32_t cause = no_event) {
    std::uint32_t index_in_process = 0;
    for (std::size_t at = 0; at < execution_.size(); ++at) {
      if (execution_.steps.process(at) == made.process()) ++index_in_process;
    }
    execution_.steps.push_back(made);
    execution_.events.push_back({index_in_process, cause});
    execution_.before.resize(execution_.steps.access_count(), before);
    execution_.processes = std::max(execution_.processes, index(made.process()) + 1);
  }
  void waiting(unsigned process, const std::vector<Access>& accesses) {
    execution_.pending.push_back(step(process, accesses));
    execution_.pending_state.push_back({});
    execution_.processes = std::max<std::size_t>(execution_.processes, process + 1);
  }
  void cut_to(std::size_t size) {
    execution_.steps.truncate(size);
    execution_.events.resize(size);
    execution_.before.resize(execution_.steps.access_count());
  }

  using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  Pairs races(std::size_t kept = 0) {
    happens_before_.update(execution_, kept);
    Pairs pairs;
    for (const Race& race : happens_before_.races()) pairs.emplace_back(race.first, race.second);
    return pairs;
  }

  Vocabulary vocabulary_;
  Execution execution_;
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

}  // namespace
}  // namespace mazurka
