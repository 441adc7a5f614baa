#include "analysis/reversal.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "analysis/made_execution.test.hpp"

namespace mazurka {
namespace {

constexpr unsigned p = 0;
constexpr unsigned q = 1;
constexpr unsigned r = 2;
constexpr unsigned s = 3;

enum Variable : std::uint8_t { x, y, z, u, other };

class ReversalTest : public MadeExecution {
 protected:
  /// p: x, z.  q: y, x.  r: u.  The race is that for x, of events 0 and 3.
  void race_for_x() {
    event(p, {access(x, write)});
    event(q, {access(y, write)});
    event(p, {access(z, write)});
    event(q, {access(x, write)});
    event(r, {access(u, write)});
    happens_before_.update(execution_, 0);
    ASSERT_EQ(happens_before_.races().size(), 1U);
    race_ = happens_before_.races()[0];
    ASSERT_EQ(race_.first, 0U);
    ASSERT_EQ(race_.second, 3U);
  }
  /// Asleep at node 0, until the event.
  void sleeper(unsigned process, Variable object, std::uint32_t woken, std::uint16_t choice = 0,
               std::uint16_t choices = 1) {
    const std::vector<Access> accesses{access(object, write)};
    Step made = step(process, accesses);
    made.decision.choice = choice;
    made.choices = choices;
    sleepers_.push(made, 0);
    woken_.push_back(woken);
    StepList collected;
    sleepers_.collect(0, collected);
    execution_.woken = woken_;
    sleepers_.absorb(execution_);
  }
  Reversal::Need judge() { return reversal_.judge(execution_, race_); }
  [[nodiscard]] std::vector<unsigned> processes() const {
    std::vector<unsigned> found;
    for (std::size_t at = 0; at < reversal_.size(); ++at) {
      found.push_back(static_cast<unsigned>(reversal_.decision(at).process));
      EXPECT_EQ(reversal_[at].decision, reversal_.decision(at));
    }
    return found;
  }
  using Processes = std::vector<unsigned>;
  using Need = Reversal::Need;

  HappensBefore happens_before_{vocabulary_};
  SleepStack sleepers_;
  std::vector<std::uint32_t> woken_;
  Reversal reversal_{vocabulary_, happens_before_, sleepers_};
  Race race_;
};

TEST_F(ReversalTest, WhatDoesNotHappenAfterTheFirstAndThenTheSecond) {
  race_for_x();
  EXPECT_EQ(judge(), Need::brief);
  reversal_.build_brief();
  EXPECT_EQ(reversal_.node(), 0U);
  EXPECT_EQ(processes(), (Processes{q, q}));
  EXPECT_EQ(reversal_[0].accesses[0], access(y, write));
  EXPECT_EQ(reversal_[1].accesses[0], access(x, write));
  EXPECT_EQ(reversal_.event(0), 1U);
  reversal_.build_whole();
  EXPECT_EQ(processes(), (Processes{q, r, q}));
  EXPECT_EQ(reversal_.event(1), 4U);
}

TEST_F(ReversalTest, IsCoveredByASleeperThatCouldComeFirst) {
  race_for_x();
  sleeper(q, y, 1);
  EXPECT_EQ(judge(), Need::covered);
  EXPECT_EQ(reversal_.settled_by(), 3U);
  EXPECT_TRUE(reversal_.begins_asleep(execution_, race_));
}

TEST_F(ReversalTest, IsCoveredByASleeperThatMovesAfterTheRace) {
  race_for_x();
  sleeper(r, u, 4);
  EXPECT_EQ(judge(), Need::covered);
  EXPECT_EQ(reversal_.settled_by(), 4U);  // in another execution r may do something else there
  EXPECT_FALSE(reversal_.begins_asleep(execution_, race_));
}

TEST_F(ReversalTest, IsCoveredForNowByASleeperThatNothingDisturbs) {
  race_for_x();
  sleeper(s, other, no_event);
  EXPECT_EQ(judge(), Need::covered_for_now);
  EXPECT_FALSE(reversal_.begins_asleep(execution_, race_));
}

TEST_F(ReversalTest, AnOutcomeThatIsAwakeLeavesItOpen) {
  race_for_x();
  sleeper(s, other, no_event, 0, 2);
  EXPECT_EQ(judge(), Need::brief);
  sleeper(s, other, no_event, 1, 2);
  EXPECT_EQ(judge(), Need::covered_for_now);
}

TEST_F(ReversalTest, IsNeededIfItWakesTheSleepers) {
  race_for_x();
  sleeper(s, x, 0);  // wakes with the second event
  EXPECT_EQ(judge(), Need::brief);
  sleeper(s, u, 4);  // only with what comes after it
  EXPECT_EQ(judge(), Need::whole);
}

TEST_F(ReversalTest, WhatHappensAfterTheFirstWakesNobody) {
  race_for_x();
  sleeper(s, z, 2);  // p writes z, but after x
  EXPECT_EQ(judge(), Need::covered_for_now);
}

TEST_F(ReversalTest, TheSecondIsAskedForWithAnOutcomeThatIsAwake) {
  event(p, {access(x, write)});
  event(q, {access(x, write)});
  happens_before_.update(execution_, 0);
  race_ = happens_before_.races()[0];
  sleeper(q, x, 0, 0, 2);
  EXPECT_EQ(judge(), Need::brief);
  reversal_.build_brief();
  EXPECT_EQ(reversal_.decision(0), (Decision{ProcessId{q}, 1}));
  sleeper(q, x, 0, 1, 2);
  EXPECT_EQ(judge(), Need::covered);
}

TEST_F(ReversalTest, TheSecondCountsWithAllThatItMayDo) {
  event(p, {access(x, write)});
  const std::vector<Access> failed{access(x, read)};
  const std::vector<Access> announced{access(x, attempt)};
  Step attempted = step(q, failed);
  attempted.announced = announced;
  event(attempted);
  happens_before_.update(execution_, 0);
  ASSERT_EQ(happens_before_.races().size(), 1U);
  race_ = happens_before_.races()[0];
  EXPECT_EQ(judge(), Need::brief);
  reversal_.build_brief();
  ASSERT_EQ(reversal_.size(), 1U);
  EXPECT_EQ(reversal_[0].accesses[0], access(x, attempt));
}

TEST_F(ReversalTest, AStepThatIsStillDisabledComesAfterItWasAnnounced) {
  event(p, {mutex_access(lock)}, 0);
  event(q, {access(y, write)});
  event(r, {access(u, write)});
  waiting(q, {mutex_access(lock)});
  happens_before_.update(execution_, 0);
  ASSERT_EQ(happens_before_.races().size(), 1U);
  race_ = happens_before_.races()[0];
  ASSERT_EQ(race_.kind, Race::Kind::pending);
  EXPECT_EQ(judge(), Need::brief);
  reversal_.build_brief();
  EXPECT_EQ(processes(), (Processes{q, q}));  // r is not needed
  EXPECT_EQ(reversal_[1].accesses[0], mutex_access(lock));
  reversal_.build_whole();
  EXPECT_EQ(processes(), (Processes{q, r, q}));
}

TEST_F(ReversalTest, AnAlternativeComesFirst) {
  Step choice = step(p, {});
  choice.choices = 2;
  event(choice);
  event(q, {access(y, write)});
  event(p, {access(x, write)});
  happens_before_.update(execution_, 0);
  ASSERT_EQ(happens_before_.races().size(), 1U);
  race_ = happens_before_.races()[0];
  ASSERT_EQ(race_.kind, Race::Kind::alternative);
  EXPECT_EQ(judge(), Need::brief);
  reversal_.build_brief();
  EXPECT_EQ(processes(), (Processes{p}));
  EXPECT_EQ(reversal_.decision(0).choice, 1U);
  reversal_.build_whole();
  EXPECT_EQ(processes(), (Processes{p, q}));
  EXPECT_EQ(reversal_.event(1), 1U);
}

TEST_F(ReversalTest, AnInitialCouldComeFirst) {
  race_for_x();
  (void)judge();
  reversal_.build_whole();  // q: y, r: u, q: x
  EXPECT_TRUE(reversal_.initial(0));
  EXPECT_TRUE(reversal_.initial(1));
  EXPECT_FALSE(reversal_.initial(2));
}

TEST_F(ReversalTest, OneInitialIsEnoughForABacktrackSet) {
  race_for_x();
  (void)judge();
  reversal_.build_whole();
  BacktrackSets backtrack;
  const auto open = [&] { return backtrack.decisions(0).size(); };
  ask_for_an_initial(backtrack, reversal_);
  ASSERT_EQ(open(), 1U);
  EXPECT_EQ(backtrack.decisions(0)[0], (Decision{ProcessId{q}, 0}));
  ask_for_an_initial(backtrack, reversal_);
  EXPECT_EQ(open(), 1U);

  BacktrackSets with_another;
  with_another.add(0, {ProcessId{r}, 0});
  ask_for_an_initial(with_another, reversal_);
  EXPECT_EQ(with_another.decisions(0).size(), 1U);

  BacktrackSets with_a_stranger;
  with_a_stranger.add(0, {ProcessId{s}, 0});
  with_a_stranger.add(0, {ProcessId{r}, 1});  // another outcome is another step
  ask_for_an_initial(with_a_stranger, reversal_);
  EXPECT_EQ(with_a_stranger.decisions(0).size(), 3U);
}

}  // namespace
}  // namespace mazurka
