#include "core/session.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>
#include <vector>

namespace mazurka {
namespace {

constexpr ProcessId root = Run::root();
constexpr std::array<Access, 1> write_x{Access{ObjectId{0}, 0, 0}};
constexpr std::array<Access, 1> write_y{Access{ObjectId{1}, 0, 0}};

/// Two processes that write to x once each. What else happens is up to the test.
class TwoWriters final : public Program {
 public:
  TwoWriters() { vocabulary_.add_kind("variable", {{"write"}}); }
  [[nodiscard]] const Vocabulary& vocabulary() const override { return vocabulary_; }
  [[nodiscard]] bool abandoned() const override { return gives_up; }

  void run(Run& run) override {
    ++runs;
    const ProcessId child = run.create(root);
    run.announce(root, {write_x}, true);
    run.announce(child, {is_fickle && runs > 1 ? write_y : write_x}, true);
    while (const auto decision = run.next()) {
      if (!run.commit()) return;
      if (fails && decision->process == child) {
        run.fail(child, FindingKind::assertion, "wrong", key);
      } else if (decision->process == root && hangs) {
        run.stall(root);
      } else if (decision->process == root && waits_later && runs > 1) {
        run.announce(root, {write_x}, false);
      } else {
        run.finish(decision->process);
      }
    }
    if (exit_code != 0) run.exit_code(exit_code);
  }
  void save_names(ArchiveWriter& archive) const override { archive(saved_name); }
  void load_names(ArchiveReader& archive) override { archive(saved_name); }

  int runs = 0;
  bool fails = false;
  bool hangs = false;
  bool is_fickle = false;    // another footprint from the second time on
  bool waits_later = false;  // another ending from the second time on
  bool gives_up = false;
  std::uint8_t exit_code = 0;
  std::string key = "here";
  std::uint32_t saved_name = 0;

 private:
  Vocabulary vocabulary_;
};

const std::vector<Decision> child_first{{ProcessId{1}, 0}, {ProcessId{0}, 0}};

TEST(Session, CountsWhatItPerforms) {
  TwoWriters program;
  Session session(program, {});
  EXPECT_EQ(session.run({}).ending, Ending::complete);
  EXPECT_EQ(session.run({.prefix = child_first, .shared = 0}).ending, Ending::complete);
  const Statistics& counts = session.statistics();
  EXPECT_EQ(counts.executions, 2U);
  EXPECT_EQ(counts.asleep, 0U);
  EXPECT_EQ(counts.events, 4U);
  EXPECT_EQ(counts.transitions, 4U);
  EXPECT_EQ(counts.deepest, 2U);
  EXPECT_EQ(counts.processes, 2U);
  EXPECT_FALSE(session.stop());
  EXPECT_EQ(session.stopped(), Stop::none);
}

TEST(Session, SharedEventsAreNoNewTransitions) {
  TwoWriters program;
  Session session(program, {});
  session.run({.prefix = child_first});
  session.run({.prefix = child_first, .shared = 1});
  EXPECT_EQ(session.statistics().events, 4U);
  EXPECT_EQ(session.statistics().transitions, 3U);
}

TEST(Session, AnExecutionThatEndsAsleepIsCountedApart) {
  TwoWriters program;
  Session session(program, {});
  const Execution first = session.run({});
  Schedule schedule{.prefix = {{root, 0}}, .shared = 1};
  schedule.asleep.push_back(first.steps[1]);
  EXPECT_EQ(session.run(schedule).ending, Ending::asleep);
  EXPECT_EQ(session.statistics().executions, 1U);
  EXPECT_EQ(session.statistics().asleep, 1U);
}

TEST(Session, TheDigestDoesNotDependOnTheOrder) {
  const auto digest = [](const std::vector<Schedule>& schedules) {
    TwoWriters program;
    Session session(program, {});
    for (const Schedule& schedule : schedules) session.run(schedule);
    return session.statistics().digest;
  };
  const Schedule root_first{.prefix = {{root, 0}}};
  const Schedule other{.prefix = child_first};
  EXPECT_EQ(digest({root_first, other}), digest({other, root_first}));
  EXPECT_NE(digest({root_first, root_first}), digest({root_first, other}));
}

TEST(Session, StopsAtTheFirstFindingUnlessToldToGoOn) {
  for (const bool keep_going : {false, true}) {
    TwoWriters program;
    program.fails = true;
    Session session(program, {.keep_going = keep_going});
    session.run({.prefix = child_first});
    session.run({});
    ASSERT_EQ(session.findings().size(), 1U);  // the same key twice
    EXPECT_EQ(session.findings()[0].kind, FindingKind::assertion);
    EXPECT_EQ(session.findings()[0].schedule.size(), 1U);
    EXPECT_EQ(session.stopped(), keep_going ? Stop::none : Stop::finding);
    program.key = "there";
    session.run({});
    EXPECT_EQ(session.findings().size(), 2U);
  }
}

TEST(Session, NoticesAProgramThatDoesSomethingElseTheSecondTime) {
  TwoWriters program;
  program.is_fickle = true;
  Session session(program, {});
  session.run({});
  EXPECT_EQ(session.stopped(), Stop::diverged);
  ASSERT_TRUE(session.divergence());
  EXPECT_EQ(session.divergence()->event, 1U);
  EXPECT_EQ(session.statistics().executions, 0U);
}

TEST(Session, NoticesAProgramThatEndsInAnotherWayTheSecondTime) {
  TwoWriters program;
  program.waits_later = true;
  Session session(program, {});
  session.run({});
  EXPECT_EQ(session.stopped(), Stop::diverged);
  ASSERT_TRUE(session.divergence() && session.divergence()->endings);
  EXPECT_EQ(session.divergence()->endings->first, Ending::complete);
  EXPECT_EQ(session.divergence()->endings->second, Ending::deadlock);
}

TEST(Session, OnlyTheFirstExecutionIsRepeated) {
  TwoWriters program;
  Session session(program, {});
  session.run({});
  EXPECT_GT(program.runs, 1);
  const int after_the_first = program.runs;
  session.run({});
  EXPECT_EQ(program.runs, after_the_first + 1);
}

TEST(Session, LimitsAreLookedAtBetweenExecutions) {
  TwoWriters program;
  Session session(program, {.max_executions = 2});
  session.run({});
  EXPECT_FALSE(session.stop());
  session.run({});
  EXPECT_EQ(session.stopped(), Stop::none);
  EXPECT_TRUE(session.stop());
  EXPECT_EQ(session.stopped(), Stop::max_executions);
}

TEST(Session, IsStoppedByTheUserAndByTheClock) {
  TwoWriters program;
  Session interrupted(program, {});
  interrupted.interrupt();
  EXPECT_TRUE(interrupted.stop());
  EXPECT_EQ(interrupted.stopped(), Stop::interrupted);

  Session late(program, {.max_seconds = 60});
  EXPECT_FALSE(late.stop());
  late.began(std::chrono::steady_clock::now() - std::chrono::seconds(61));
  EXPECT_TRUE(late.stop());
  EXPECT_EQ(late.stopped(), Stop::max_seconds);
}

TEST(Session, ReservedTimeIsForSearchesThatAreNearlyDone) {
  TwoWriters program;
  Session session(program, {.max_seconds = 60, .reserved_seconds = 30});
  session.began(std::chrono::steady_clock::now() - std::chrono::seconds(45));
  session.estimate(0.9);
  EXPECT_FALSE(session.stop());
  session.estimate(0.5);
  EXPECT_TRUE(session.stop());
}

TEST(Session, WhatIsCutOrStallsCanEndTheSearch) {
  TwoWriters program;
  Session cut(program, {.max_events = 1, .stop_when_cut = true});
  EXPECT_EQ(cut.run({}).ending, Ending::cut);
  EXPECT_EQ(cut.stopped(), Stop::cut);
  EXPECT_EQ(cut.statistics().cut, 1U);

  TwoWriters endless;
  endless.hangs = true;
  Session stalled(endless, {});
  EXPECT_EQ(stalled.run({}).ending, Ending::stalled);
  EXPECT_EQ(stalled.stopped(), Stop::stalled);
  EXPECT_EQ(stalled.statistics().stalled, 1U);
}

TEST(Session, NothingIsConcludedFromAnExecutionThatWasGivenUp) {
  TwoWriters program;
  program.gives_up = true;
  Session session(program, {});
  session.run({});
  EXPECT_EQ(session.stopped(), Stop::interrupted);
  EXPECT_EQ(session.statistics().executions, 0U);
}

TEST(Session, RemembersHowTheProgramExits) {
  TwoWriters program;
  program.exit_code = 3;
  Session session(program, {});
  session.run({});
  program.exit_code = 4;
  session.run({});
  EXPECT_EQ(session.statistics().bad_exits, 2U);
  EXPECT_EQ(session.statistics().exit_code, 3U);
}

TEST(Session, RefusalsAndContradictionsStopIt) {
  TwoWriters program;
  Session refused(program, {});
  refused.refuse("for actors only");
  EXPECT_TRUE(refused.stop());
  EXPECT_EQ(refused.stopped(), Stop::refused);
  EXPECT_EQ(refused.refusal(), "for actors only");

  Session contradicted(program, {});
  contradicted.run({});
  contradicted.contradict();
  EXPECT_EQ(contradicted.stopped(), Stop::diverged);
  EXPECT_TRUE(contradicted.divergence());
}

TEST(Session, AKnownCrashIsNotPerformed) {
  TwoWriters program;
  Session session(program, {.keep_going = true});
  session.crashing.push_back({{{ProcessId{1}, 0}}, "it crashes"});
  const Execution& execution = session.run({.prefix = {{ProcessId{1}, 0}}});
  EXPECT_EQ(execution.size(), 1U);
  ASSERT_EQ(session.findings().size(), 1U);
  EXPECT_EQ(session.findings()[0].kind, FindingKind::crash);
  EXPECT_EQ(session.findings()[0].message, "it crashes");
}

TEST(Session, TellsOfEachExecutionAndEachPause) {
  TwoWriters program;
  Session session(program, {});
  int executions = 0;
  int pauses = 0;
  session.on_execution = [&](const Execution& execution) {
    EXPECT_EQ(execution.size(), 2U);
    ++executions;
  };
  session.on_pause = [&] { ++pauses; };
  session.run({});
  EXPECT_EQ(executions, 1);  // though the first is performed several times
  EXPECT_EQ(pauses, 0);
  (void)session.stop();
  EXPECT_EQ(pauses, 1);
}

TEST(Session, IsTheSameAfterAJourney) {
  TwoWriters program;
  program.fails = true;
  program.saved_name = 42;
  Session session(program, {.keep_going = true});
  session.run({});
  session.run({.prefix = child_first});
  std::vector<std::byte> bytes;
  ArchiveWriter writer(bytes);
  session.save(writer);

  TwoWriters another;
  another.fails = true;
  Session back(another, {.keep_going = true});
  ArchiveReader reader(bytes);
  back.load(reader);
  reader.expect_end();
  EXPECT_EQ(another.saved_name, 42U);
  EXPECT_EQ(back.statistics().executions, 2U);
  EXPECT_EQ(back.statistics().digest, session.statistics().digest);
  EXPECT_EQ(back.names().size(), 2U);
  ASSERT_EQ(back.findings().size(), 1U);
  EXPECT_EQ(back.findings()[0].schedule, session.findings()[0].schedule);
  EXPECT_GE(back.seconds_in_all(), session.seconds_in_all() * 0.5);
  back.run({});
  EXPECT_EQ(back.findings().size(), 1U);  // it is known
  EXPECT_EQ(another.runs, 1);             // and was found to be deterministic

  for (std::size_t size = 0; size < bytes.size(); ++size) {
    Session fresh(another, {});
    ArchiveReader cut(std::span<const std::byte>(bytes).first(size));
    EXPECT_THROW(fresh.load(cut), ArchiveError) << size;
  }
}

TEST(Session, EveryStatisticMakesTheJourney) {
  Statistics statistics;
  std::uint64_t next = 1;
  const auto number = [&](auto& member) {
    member = static_cast<std::decay_t<decltype(member)>>(next++);
  };
  const auto each = [&](auto& s, auto&& visit) {
    visit(s.executions), visit(s.repeated), visit(s.assumed), visit(s.asleep), visit(s.in_vain);
    visit(s.impossible);
    visit(s.events), visit(s.transitions), visit(s.deepest), visit(s.processes), visit(s.cut);
    visit(s.stalled), visit(s.stored), visit(s.explored), visit(s.skipped), visit(s.digest);
    visit(s.bad_exits), visit(s.exit_code), visit(s.spared), visit(s.left_waiting);
  };
  static_assert(sizeof(Statistics) == 20 * 8, "a statistic is missing here");
  each(statistics, number);
  std::vector<std::byte> bytes;
  ArchiveWriter writer(bytes);
  writer(statistics);
  Statistics back;
  ArchiveReader reader(bytes);
  reader(back);
  std::uint64_t expected = 1;
  each(back, [&](auto& member) { EXPECT_EQ(static_cast<std::uint64_t>(member), expected++); });
}

TEST(Session, NamesThatContradictEachOtherAreRefused) {
  const auto load = [](const std::vector<ProcessNames::Name>& names) {
    std::vector<std::byte> bytes;
    ArchiveWriter writer(bytes);
    writer(static_cast<std::uint64_t>(names.size()));
    for (const ProcessNames::Name& name : names) writer(name.parent, name.nth);
    ProcessNames loaded;
    ArchiveReader reader(bytes);
    loaded.load(reader);
    return loaded.size();
  };
  EXPECT_EQ(load({{}, {root, 0}, {ProcessId{1}, 0}}), 3U);
  EXPECT_THROW(load({{}, {ProcessId{1}, 0}}), ArchiveError);     // its own child
  EXPECT_THROW(load({{}, {root, 0}, {root, 0}}), ArchiveError);  // twice
  EXPECT_THROW(load({{}, {root, 1U << 31U}}), ArchiveError);     // too many
}

TEST(Session, RepeatsWithoutCounting) {
  TwoWriters program;
  Session session(program, {});
  const Execution first = session.run({.prefix = child_first});
  const Statistics before = session.statistics();
  const Execution& again = session.repeat(first.steps, first.ending, true);
  EXPECT_EQ(again.size(), 2U);
  ASSERT_GE(again.enabled.size(), 2U);
  EXPECT_EQ(again.enabled[0].size(), 2U);
  EXPECT_EQ(again.enabled[1].size(), 1U);
  EXPECT_EQ(session.stopped(), Stop::none);
  EXPECT_EQ(session.statistics().executions, before.executions);
  EXPECT_EQ(session.statistics().events, before.events);

  program.is_fickle = true;
  session.repeat(first.steps, first.ending, true);
  EXPECT_EQ(session.stopped(), Stop::diverged);
}

TEST(Session, BeginsAgain) {
  TwoWriters program;
  program.fails = true;
  Session first(program, {.keep_going = true});
  first.run({});
  first.skip(5);

  Session second(program, {.keep_going = true});
  second.begin_again_after(first);
  EXPECT_EQ(second.statistics().executions, 1U);
  EXPECT_EQ(second.statistics().repeated, 1U);
  EXPECT_EQ(second.statistics().skipped, 0U);
  EXPECT_TRUE(second.findings().empty());  // it may be found again, with a better schedule
  second.settle_earlier_findings();
  EXPECT_EQ(second.findings().size(), 1U);

  Session third(program, {});
  third.begin_again_after(first);
  EXPECT_EQ(third.stopped(), Stop::finding);
}

}  // namespace
}  // namespace mazurka
