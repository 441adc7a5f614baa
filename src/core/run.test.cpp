#include "core/run.hpp"

#include <gtest/gtest.h>

#include <array>
#include <stdexcept>
#include <vector>

namespace mazurka {
namespace {

constexpr std::array<Access, 1> write_x{Access{ObjectId{0}, 0, 0}};
constexpr std::array<Access, 1> write_y{Access{ObjectId{1}, 0, 0}};

constexpr ProcessId root = Run::root();  // in a fixture, Run is GoogleTest's

class RunTest : public testing::Test {
 protected:
  RunTest() { vocabulary_.add_kind("variable", {{"write"}}); }

  /// Two processes, of one write each: to x and to `other`.
  void two_writers(const Schedule& schedule, Footprint other = write_x) {
    run_.start(schedule, limits_);
    const ProcessId child = run_.create(root);
    run_.announce(root, {write_x}, true);
    run_.announce(child, {other}, true);
    while (const auto decision = run_.next()) {
      if (!run_.commit()) break;
      run_.finish(decision->process);
    }
    run_.finish_execution();
  }
  [[nodiscard]] ProcessId process(std::size_t event) const {
    return execution_.steps.process(event);
  }

  Vocabulary vocabulary_;
  ProcessNames names_;
  Execution execution_;
  RunLimits limits_;
  mazurka::Run run_{vocabulary_, names_, execution_};
};

TEST_F(RunTest, FollowsThePrefixAndGoesOnByItself) {
  two_writers({});
  ASSERT_EQ(execution_.size(), 2U);
  EXPECT_EQ(execution_.ending, Ending::complete);
  EXPECT_EQ(process(0), ProcessId{0});

  const std::vector<Decision> prefix{Decision{ProcessId{1}}};
  two_writers({.prefix = prefix});
  EXPECT_EQ(process(0), ProcessId{1});
  EXPECT_EQ(process(1), ProcessId{0});
}

TEST_F(RunTest, SleepersStayAsleepUntilSomethingDependentHappens) {
  two_writers({});
  StepList asleep;
  asleep.push_back(execution_.steps[0]);
  two_writers({.prefix = {}, .asleep = asleep});
  EXPECT_EQ(process(0), ProcessId{1});
  EXPECT_EQ(execution_.ending, Ending::complete);
  ASSERT_EQ(execution_.woken.size(), 1U);
  EXPECT_EQ(execution_.woken[0], 0U);
}

TEST_F(RunTest, EndsAsleepWhenOnlySleepersAreLeft) {
  two_writers({}, write_y);
  StepList asleep;
  asleep.push_back(execution_.steps[0]);
  two_writers({.prefix = {}, .asleep = asleep}, write_y);
  EXPECT_EQ(execution_.size(), 1U);
  EXPECT_EQ(execution_.ending, Ending::asleep);
  EXPECT_EQ(execution_.woken[0], no_event);
  ASSERT_EQ(execution_.pending.size(), 1U);
  EXPECT_TRUE(execution_.pending_state[0].enabled);
}

TEST_F(RunTest, NoticesThatARepeatedEventIsAnother) {
  two_writers({}, write_x);
  const std::vector<Decision> prefix{Decision{ProcessId{0}}, Decision{ProcessId{1}}};
  two_writers({.prefix = prefix, .shared = 2}, write_y);
  EXPECT_EQ(execution_.ending, Ending::diverged);
  ASSERT_TRUE(run_.divergence());
  EXPECT_EQ(run_.divergence()->event, 1U);
  EXPECT_EQ(run_.divergence()->expected[0].accesses[0].object, ObjectId{0});
  EXPECT_EQ(run_.divergence()->seen[0].accesses[0].object, ObjectId{1});
}

TEST_F(RunTest, NoticesADecisionThatCannotBeTaken) {
  const std::vector<Decision> prefix{Decision{ProcessId{0}}, Decision{ProcessId{0}}};
  two_writers({.prefix = prefix});
  EXPECT_EQ(execution_.ending, Ending::diverged);
  EXPECT_EQ(run_.divergence()->wanted->process, ProcessId{0});
}

TEST_F(RunTest, NobodyWhoCanMoveIsADeadlock) {
  run_.start({}, limits_);
  run_.announce(root, {write_x}, false);
  EXPECT_FALSE(run_.next());
  run_.finish_execution();
  EXPECT_EQ(execution_.ending, Ending::deadlock);
  ASSERT_EQ(run_.findings().size(), 1U);
  EXPECT_EQ(run_.findings()[0].kind, FindingKind::deadlock);
}

TEST_F(RunTest, TheBoundOnEventsCuts) {
  limits_.max_events = 1;
  two_writers({});
  EXPECT_EQ(execution_.size(), 1U);
  EXPECT_EQ(execution_.ending, Ending::cut);
}

TEST_F(RunTest, AFailureEndsTheExecutionOnlyIfAsked) {
  for (const bool stop : {true, false}) {
    limits_.stop_at_finding = stop;
    run_.start({}, limits_);
    const ProcessId child = run_.create(root);
    run_.announce(root, {write_x}, true);
    run_.announce(child, {write_x}, true);
    ASSERT_TRUE(run_.next());
    ASSERT_TRUE(run_.commit());
    run_.fail(root, FindingKind::assertion, "wrong", "here");
    const auto next = run_.next();
    EXPECT_EQ(next.has_value(), !stop);
    ASSERT_EQ(run_.findings().size(), 1U);
    EXPECT_EQ(run_.findings()[0].schedule.size(), 1U);
    run_.finish_execution();
    EXPECT_EQ(execution_.ending == Ending::failed, stop);
  }
}

TEST_F(RunTest, ExitComesLastAndEndsTheProgramWithOthersWaiting) {
  run_.start({}, limits_);
  const ProcessId child = run_.create(root);
  run_.announce(root, {{}, no_process, true}, true);
  run_.announce(child, {write_x}, true);
  EXPECT_EQ(run_.next(), (Decision{child, 0}));
  ASSERT_TRUE(run_.commit());
  run_.announce(child, {write_x}, false);
  EXPECT_TRUE(run_.anyone_enabled());
  EXPECT_TRUE(run_.only_exits_left());
  EXPECT_EQ(run_.next(), (Decision{root, 0}));
  ASSERT_TRUE(run_.commit());
  EXPECT_FALSE(run_.next());
  run_.finish_execution();
  EXPECT_EQ(execution_.ending, Ending::complete);
  EXPECT_EQ(execution_.pending.size(), 1U);
}

TEST_F(RunTest, OutcomesThatAreAsleepAreNotTaken) {
  Step choice;
  choice.choices = 3;
  StepList asleep;
  asleep.push_back(choice);
  choice.decision.choice = 1;
  asleep.push_back(choice);
  run_.start({.prefix = {}, .asleep = asleep}, limits_);
  run_.announce(root, {}, true);
  const auto decision = run_.next();
  ASSERT_TRUE(decision);
  EXPECT_EQ(decision->choice, 2U);
  ASSERT_TRUE(run_.commit({}, 3));
}

TEST(ProcessNames, AreTheSameForTheSameChild) {
  ProcessNames names;
  const ProcessId first = names.child(Run::root(), 0);
  const ProcessId second = names.child(Run::root(), 1);
  EXPECT_NE(first, second);
  EXPECT_EQ(names.child(Run::root(), 0), first);
  EXPECT_EQ(names[second].nth, 1U);
  EXPECT_EQ(names[names.child(second, 0)].parent, second);
  EXPECT_EQ(names.size(), 4U);
}

// A process of three writes to x, and a child that writes y. Comes back after `until` events.
TEST_F(RunTest, GoesOnFromWhereAnotherRunWas) {
  const auto perform = [&](const Schedule& schedule, const Standing* from, std::size_t until) {
    Standing reached;
    run_.start(schedule, limits_);
    if (from == nullptr) {
      const ProcessId child = run_.create(root);
      run_.announce(root, {write_x}, true);
      run_.announce(child, {write_y}, true);
    } else {
      run_.go_on_from(*from);
    }
    while (true) {
      if (run_.position() == until) reached = run_.standing();
      const auto decision = run_.next();
      if (!decision || !run_.commit()) break;
      if (decision->process == root && run_.events_of(root) < 3) {
        run_.announce(root, {write_x}, true);
      } else {
        run_.finish(decision->process);
      }
    }
    run_.finish_execution();
    return reached;
  };
  const ProcessId child{1};
  const std::vector<Decision> one{{root}, {root}, {child}, {root}};
  const std::vector<Decision> other{{root}, {root}, {root}, {child}};
  const Standing kept = perform({.prefix = one}, nullptr, 2);
  EXPECT_EQ(run_.spared(), 0U);

  const Standing afterwards = perform({.prefix = other, .shared = 2}, nullptr, 3);
  const StepList expected = execution_.steps;
  EXPECT_EQ(perform({.prefix = one, .shared = 2}, nullptr, 2), kept);
  EXPECT_EQ(perform({.prefix = other, .shared = 2}, &kept, 3), afterwards);
  EXPECT_EQ(run_.spared(), 2U);
  EXPECT_FALSE(run_.divergence());
  EXPECT_EQ(execution_.ending, Ending::complete);
  ASSERT_EQ(execution_.size(), expected.size());
  for (std::size_t at = 0; at < expected.size(); ++at) {
    EXPECT_EQ(execution_.steps.decision(at), expected.decision(at));
    EXPECT_EQ(execution_.events[at].index, at == 3 ? 0U : at);
  }
}

}  // namespace
}  // namespace mazurka
