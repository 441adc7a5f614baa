#include "analysis/commutation.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace mazurka {
namespace {

enum Kind : std::uint8_t { variable, bell, queue };
enum Mode : std::uint8_t {
  look,  // at a variable, and remember it
  put,   // blindly
  add,   // to what is there, without remembering it
  sum,   // the same, in whatever order
  ring = 0,
  enter = 0,  // a queue, in whatever order
  leave,
};

/// What a step does with one object: which value it finds and which it leaves.
struct Use {
  unsigned object;
  Kind kind;
  Mode mode;
  std::uint64_t before;
  std::uint64_t after;
};

class CommutationTest : public testing::Test {
 protected:
  CommutationTest() {
    vocabulary_.add_kind("variable", {{.name = "look", .writes = false, .keeps = true},
                                      {.name = "put", .reads = false},
                                      {.name = "add"},
                                      {.name = "sum", .adds_up = true}});
    vocabulary_.declare_independent(variable, sum, sum);
    vocabulary_.declare_independent(variable, look, look);
    vocabulary_.add_kind("bell", {{.name = "ring", .silent = true}});
    vocabulary_.add_kind("queue", {{.name = "enter"}, {.name = "leave"}});
    vocabulary_.declare_independent(queue, enter, enter);
  }
  void event(unsigned process, const std::vector<Use>& uses) {
    Step step;
    step.decision.process = static_cast<ProcessId>(process);
    event(step, uses);
  }
  void event(Step step, const std::vector<Use>& uses) {
    std::vector<Access> accesses;
    for (const Use& use : uses) accesses.push_back({ObjectId{use.object}, use.kind, use.mode});
    step.accesses = accesses;
    execution_.steps.push_back(step);
    execution_.events.push_back({});
    for (const Use& use : uses) {
      execution_.before.push_back(use.before);
      execution_.after.push_back(use.after);
    }
  }
  [[nodiscard]] Commutes judge(std::uint32_t first = 0, std::uint32_t second = 1) const {
    return commute(vocabulary_, execution_, first, second);
  }

  Vocabulary vocabulary_;
  Execution execution_;
};

TEST_F(CommutationTest, EqualWritesCommute) {
  event(0, {{0, variable, put, 7, 1}});
  event(1, {{0, variable, put, 1, 1}});
  EXPECT_EQ(judge(), Commutes::yes);
  event(2, {{0, variable, put, 1, 2}});
  EXPECT_EQ(judge(1, 2), Commutes::no);
}

TEST_F(CommutationTest, AWriteOfWhatIsThereCommutesWithALook) {
  event(0, {{0, variable, put, 5, 5}});
  event(1, {{0, variable, look, 5, 5}});
  EXPECT_EQ(judge(), Commutes::yes);
}

TEST_F(CommutationTest, WhoKeepsAnotherValueIsAnotherState) {
  event(0, {{0, variable, put, 4, 5}});
  event(1, {{0, variable, look, 5, 5}});
  EXPECT_EQ(judge(), Commutes::no);
  event(2, {{0, variable, put, 5, 6}});  // the look before it would have read 6 after it
  EXPECT_EQ(judge(1, 2), Commutes::no);
}

TEST_F(CommutationTest, AdditionsAreLeftToTheExploration) {
  event(0, {{0, variable, add, 0, 1}});
  event(1, {{0, variable, add, 1, 3}});
  EXPECT_EQ(judge(), Commutes::open);
}

TEST_F(CommutationTest, NothingIsSaidOfTwoThatNeverMet) {
  event(0, {{0, variable, add, 0, 1}});
  event(2, {{0, variable, add, 1, 5}});
  event(1, {{0, variable, add, 5, 6}});
  EXPECT_EQ(judge(0, 2), Commutes::never_met);
  EXPECT_TRUE(interrupted(vocabulary_, execution_, 0, 2));
  EXPECT_TRUE(may_commute(vocabulary_, execution_, 0, 2));
  EXPECT_FALSE(interrupted(vocabulary_, execution_, 0, 1));
}

TEST_F(CommutationTest, OnlyWritesToTheirObjectInterrupt) {
  event(0, {{0, variable, add, 0, 1}});
  event(2, {{1, variable, add, 0, 1}});
  event(3, {{0, variable, look, 1, 1}});
  event(1, {{0, variable, add, 1, 2}});
  EXPECT_FALSE(interrupted(vocabulary_, execution_, 0, 3));
}

TEST_F(CommutationTest, EveryObjectCounts) {
  event(0, {{0, variable, put, 0, 1}, {1, variable, put, 0, 1}});
  event(1, {{0, variable, put, 1, 1}, {1, variable, put, 1, 2}});
  EXPECT_EQ(judge(), Commutes::no);
  EXPECT_FALSE(may_commute(vocabulary_, execution_, 0, 1));
}

TEST_F(CommutationTest, ValuesDoNotTellOfWhatIsSilent) {
  event(0, {{0, bell, ring, 0, 0}});
  event(1, {{0, bell, ring, 0, 0}});
  EXPECT_EQ(judge(), Commutes::no);
  EXPECT_FALSE(may_commute(vocabulary_, execution_, 0, 1));
}

TEST_F(CommutationTest, WhereOthersMayMixInOnlyUnchangedValuesTell) {
  event(0, {{0, queue, enter, 0, 1}});
  event(1, {{0, queue, leave, 1, 0}});
  EXPECT_EQ(judge(), Commutes::no);
  event(2, {{0, queue, enter, 3, 3}});
  event(3, {{0, queue, leave, 3, 3}});
  EXPECT_EQ(judge(2, 3), Commutes::yes);
}

TEST_F(CommutationTest, OtherSumsMayMixIn) {
  event(0, {{0, variable, sum, 0, 1}});
  event(1, {{0, variable, look, 1, 1}});
  EXPECT_EQ(judge(), Commutes::no);
  event(2, {{0, variable, sum, 3, 3}});
  event(3, {{0, variable, look, 3, 3}});
  EXPECT_EQ(judge(2, 3), Commutes::yes);
  event(4, {{0, variable, sum, 3, 4}});
  event(5, {{0, variable, put, 4, 4}});
  EXPECT_EQ(judge(4, 5), Commutes::no);
}

TEST_F(CommutationTest, MoreThanValuesMayTellTheOrder) {
  const std::array<ProcessId, 1> child{ProcessId{1}};
  const auto judged = [&](const Step& first) {
    execution_ = {};
    event(first, {{0, variable, put, 1, 1}});
    event(1, {{0, variable, put, 1, 1}});
    return judge();
  };
  Step plain;
  EXPECT_EQ(judged(plain), Commutes::yes);
  Step exits = plain;
  exits.exits = true;
  EXPECT_EQ(judged(exits), Commutes::no);
  Step chooses = plain;
  chooses.choices = 2;
  EXPECT_EQ(judged(chooses), Commutes::no);
  Step joins = plain;
  joins.awaited = ProcessId{1};
  EXPECT_EQ(judged(joins), Commutes::no);
  Step releases = plain;
  releases.released = child;
  EXPECT_EQ(judged(releases), Commutes::no);
  Step same = plain;
  same.decision.process = ProcessId{1};
  EXPECT_EQ(judged(same), Commutes::no);
}

TEST_F(CommutationTest, WhoWakesSomebodyIsInOrder) {
  const std::array<ProcessId, 1> sleeper{ProcessId{2}};
  event(2, {{1, variable, put, 0, 1}});
  Step wakes;
  wakes.released = sleeper;
  event(wakes, {{0, variable, put, 1, 1}});
  event(1, {{0, variable, put, 1, 1}});
  EXPECT_EQ(judge(1, 2), Commutes::no);
}

}  // namespace
}  // namespace mazurka
