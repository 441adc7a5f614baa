#include "core/step.hpp"

#include <gtest/gtest.h>

#include <array>

namespace mazurka {
namespace {

constexpr ProcessId p{0};
constexpr ProcessId q{1};
constexpr std::array<Access, 1> read_x{Access{ObjectId{0}, 0, 0}};
constexpr std::array<Access, 1> write_x{Access{ObjectId{0}, 0, 1}};
constexpr std::array<Access, 2> write_x_and_y{Access{ObjectId{0}, 0, 1}, Access{ObjectId{1}, 0, 1}};

class Dependence : public testing::Test {
 protected:
  Dependence() {
    vocabulary_.add_kind("variable", {{"read"}, {"write"}});
    vocabulary_.declare_independent(0, 0, 0);
  }
  [[nodiscard]] bool symmetric(const Step& one, const Step& other) const {
    const bool answer = dependent(vocabulary_, one, other);
    EXPECT_EQ(answer, dependent(vocabulary_, other, one));
    return answer;
  }
  static Step step(ProcessId process, Footprint accesses = {}) {
    Step made;
    made.decision.process = process;
    made.accesses = accesses;
    return made;
  }
  Vocabulary vocabulary_;
};

TEST_F(Dependence, FollowsTheFootprints) {
  EXPECT_FALSE(symmetric(step(p, read_x), step(q, read_x)));
  EXPECT_TRUE(symmetric(step(p, read_x), step(q, write_x)));
  EXPECT_TRUE(symmetric(step(p, write_x_and_y), step(q, read_x)));
  EXPECT_FALSE(symmetric(step(p), step(q, write_x)));
  EXPECT_TRUE(symmetric(step(p, read_x), step(p, read_x)));
}

TEST_F(Dependence, CoversJoinExitAndRelease) {
  Step join = step(p);
  join.awaited = q;
  EXPECT_TRUE(symmetric(join, step(q)));
  EXPECT_FALSE(symmetric(join, step(ProcessId{2})));
  Step exit = step(p);
  exit.exits = true;
  EXPECT_TRUE(symmetric(exit, step(q)));
  const std::array<ProcessId, 1> child{q};
  Step create = step(p);
  create.released = child;
  EXPECT_TRUE(symmetric(create, step(q)));
  EXPECT_FALSE(symmetric(create, step(ProcessId{2})));
}

TEST_F(Dependence, StepListsKeepWhatTheyAreGiven) {
  const std::array<ProcessId, 1> child{q};
  StepList list;
  Step first = step(p, write_x_and_y);
  first.released = child;
  first.decision.choice = 2;
  first.choices = 3;
  list.push_back(first);
  list.push_back(step(q, read_x));
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].decision, (Decision{p, 2}));
  EXPECT_EQ(list[0].choices, 3U);
  EXPECT_EQ(list[0].accesses.size(), 2U);
  EXPECT_EQ(list[0].released[0], q);
  EXPECT_EQ(list[1].accesses[0], read_x[0]);
  EXPECT_EQ(list.first_access(1), 2U);

  list.truncate(1);
  EXPECT_EQ(list.size(), 1U);
  EXPECT_EQ(list.access_count(), 2U);
  list.push_back(step(q, write_x));
  list.erase(0);
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list.process(0), q);
  EXPECT_EQ(list[0].accesses[0], write_x[0]);
  list.clear();
  EXPECT_TRUE(list.empty());
}

}  // namespace
}  // namespace mazurka
