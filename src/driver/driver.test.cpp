// The driver on a small program of its own: restarts, saving, limits, findings, telling.
#include "driver/driver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "driver/exploration_file.hpp"
#include "driver/writers.test.hpp"
#include "explorers/table.hpp"

namespace mazurka {
namespace {

class Taught final : public Subject {
 public:
  explicit Taught(Writers& program) : Subject(program), writers_(program) {}
  void performed(const Session&, const Execution&) override {
    if (++performed_ == teaches_in) writers_.taught = true;
  }
  [[nodiscard]] bool must_restart() const override { return writers_.taught; }
  void restarted() override {
    writers_.taught = false;
    ++restarts;
  }
  void keep_knowledge() override { writers_.aside = true; }
  void put_back_knowledge() override { writers_.aside = writers_.taught = false; }
  [[nodiscard]] bool failed() const override { return fails; }

  std::uint64_t teaches_in = 0;  // this execution teaches something; 0: none
  std::uint64_t restarts = 0;
  bool fails = false;

 private:
  std::uint64_t performed_ = 0;
  Writers& writers_;
};

class Counting final : public Watcher {
 public:
  [[nodiscard]] bool wants_end() const override { return executions >= enough; }
  void performed(const Session&, const Execution&) override { ++executions; }
  void saved() override { ++saves; }

  std::uint64_t executions = 0;
  std::uint64_t saves = 0;
  std::uint64_t enough = ~std::uint64_t{0};
};

Plan plan_for(const std::string& technique) {
  Plan plan;
  plan.technique = technique;
  plan.make = [technique] { return find_technique(technique)->make(); };
  return plan;
}

bool contains(const std::vector<std::string>& notes, const std::string& words) {
  return std::any_of(notes.begin(), notes.end(), [&](const std::string& note) {
    return note.find(words) != std::string::npos;
  });
}

struct Driven {
  explicit Driven(std::size_t count, std::size_t writes = 1) : program(count, writes) {}
  Writers program;
  Taught subject{program};
  Counting watcher;
};

TEST(Driver, ExploresEverything) {
  Driven driven(3);
  const Explored explored = Driver(driven.subject, driven.watcher, plan_for("optimal")).explore();
  EXPECT_TRUE(explored.complete);
  EXPECT_FALSE(explored.was_cut());
  EXPECT_EQ(explored.stopped, Stop::none);
  EXPECT_EQ(explored.statistics.executions, 6U);
  EXPECT_EQ(driven.watcher.executions, 6U);
  EXPECT_TRUE(explored.notes.empty());
}

TEST(Driver, BeginsAnewWhenSomethingIsLearnt) {
  Driven driven(3);
  driven.subject.teaches_in = 3;
  const Explored explored = Driver(driven.subject, driven.watcher, plan_for("optimal")).explore();
  EXPECT_EQ(driven.subject.restarts, 1U);
  EXPECT_TRUE(explored.complete);
  EXPECT_EQ(explored.statistics.repeated, 3U);
  EXPECT_EQ(explored.statistics.executions, 3U + 6U);
}

TEST(Driver, WhatWasFoundBeforeItBeganAnewCountsOnce) {
  Driven driven(3);
  driven.program.first_to_fail = 1;
  driven.subject.teaches_in = 3;
  Plan plan = plan_for("optimal");
  plan.limits.keep_going = true;
  const Explored explored = Driver(driven.subject, driven.watcher, plan).explore();
  EXPECT_EQ(driven.subject.restarts, 1U);
  ASSERT_EQ(explored.findings.size(), 1U);
  EXPECT_EQ(explored.findings[0].message, "came first");
}

TEST(Driver, DoesNotBeginAnewWhenTheProgramHasFailed) {
  Driven driven(3);
  driven.subject.teaches_in = 3;
  driven.subject.fails = true;
  const Explored explored = Driver(driven.subject, driven.watcher, plan_for("optimal")).explore();
  EXPECT_EQ(driven.subject.restarts, 0U);
  EXPECT_EQ(explored.stopped, Stop::interrupted);
}

TEST(Driver, EndsWhenThatIsWanted) {
  Driven driven(4);
  driven.watcher.enough = 5;
  const Explored explored = Driver(driven.subject, driven.watcher, plan_for("optimal")).explore();
  EXPECT_EQ(explored.stopped, Stop::interrupted);
  EXPECT_TRUE(explored.was_cut());
  EXPECT_EQ(explored.statistics.executions, 5U);
}

class DriverSaves : public testing::Test {
 protected:
  DriverSaves()
      : file_(testing::TempDir() + "driver-" +
              testing::UnitTest::GetInstance()->current_test_info()->name()) {}
  ~DriverSaves() override { std::remove(file_.c_str()); }
  DriverSaves(const DriverSaves&) = delete;
  DriverSaves& operator=(const DriverSaves&) = delete;

  [[nodiscard]] Plan cut_after(std::uint64_t executions, const std::string& technique) const {
    Plan plan = plan_for(technique);
    plan.limits.max_executions = executions;
    plan.saving.file = file_;
    plan.saving.about = "writers";
    return plan;
  }

  std::string file_;
};

TEST_F(DriverSaves, AndGoesOn) {
  Driven begun(4);
  const Explored part = Driver(begun.subject, begun.watcher, cut_after(7, "optimal")).explore();
  EXPECT_EQ(part.stopped, Stop::max_executions);
  EXPECT_EQ(begun.watcher.saves, 1U);
  EXPECT_EQ(read_exploration(file_).about, "writers");

  Driven resumed(4);
  Plan plan = plan_for("optimal");
  plan.saving.resume_file = file_;
  const Explored whole = Driver(resumed.subject, resumed.watcher, plan).explore();
  EXPECT_TRUE(whole.complete);
  EXPECT_EQ(whole.statistics.executions, 24U);
  EXPECT_EQ(resumed.watcher.executions, 24U - 7U);
}

TEST_F(DriverSaves, TellsWhatCanNotBeSaved) {
  Driven driven(4);
  const Explored explored =
      Driver(driven.subject, driven.watcher, cut_after(1, "optimal-observers")).explore();
  EXPECT_TRUE(contains(explored.notes, "optimal-observers can not save its exploration"));
  EXPECT_EQ(driven.watcher.saves, 0U);

  Driven sampled(4);
  const Explored sample =
      Driver(sampled.subject, sampled.watcher, cut_after(1, "random")).explore();
  EXPECT_TRUE(sample.notes.empty());  // it has no end to go on to
}

TEST_F(DriverSaves, TellsWhereItCouldNotSave) {
  Driven driven(4);
  Plan plan = cut_after(7, "optimal");
  plan.saving.file = file_ + "/in/no/folder";
  const Explored explored = Driver(driven.subject, driven.watcher, plan).explore();
  EXPECT_TRUE(contains(explored.notes, "could not be saved to " + plan.saving.file));
  EXPECT_EQ(driven.watcher.saves, 0U);
}

TEST_F(DriverSaves, NothingOfAProgramThatCanNotBeResumed) {
  Driven driven(4);
  driven.program.can_be_saved = false;
  Plan plan = cut_after(7, "optimal");
  EXPECT_TRUE(Driver(driven.subject, driven.watcher, plan).explore().notes.empty());
  EXPECT_EQ(driven.watcher.saves, 0U);
  plan.saving.resume_file = file_;
  EXPECT_THROW((void)Driver(driven.subject, driven.watcher, plan).explore(), std::invalid_argument);
}

TEST(Driver, LooksForEarlyBugsWhereTheSearchIsCut) {
  Driven driven(2, 0);
  Plan plan = plan_for("optimal");
  plan.limits.max_events = 1000;
  plan.limits.max_seconds = 0.2;
  plan.limits.stop_when_cut = true;
  const Explored explored = Driver(driven.subject, driven.watcher, plan).explore();
  EXPECT_EQ(explored.stopped, Stop::cut);
  EXPECT_EQ(explored.statistics.executions, 1U);
  EXPECT_TRUE(contains(explored.notes, "beside the search, "));
  EXPECT_TRUE(contains(explored.notes, "random execution"));

  Driven failing(2, 0);
  failing.program.first_to_fail = 2;
  const Explored found = Driver(failing.subject, failing.watcher, plan).explore();
  EXPECT_EQ(found.findings.size(), 1U);
}

TEST(Driver, TellsFindingsAsShortAsTheyCanBe) {
  for (const bool shortens : {false, true}) {
    Driven driven(3, 2);
    driven.program.first_to_fail = 1;
    Plan plan = plan_for("optimal");
    plan.shortens = shortens;
    Driver driver(driven.subject, driven.watcher, plan);
    const Explored explored = driver.explore();
    ASSERT_EQ(explored.findings.size(), 1U);
    std::uint64_t told = 0;
    driver.tell(explored.findings,
                [&](const Finding& finding, const std::optional<Shortened>& shortened) {
                  ++told;
                  EXPECT_EQ(finding.message, "came first");
                  EXPECT_EQ(shortened.has_value(), shortens);
                  EXPECT_LE(finding.schedule.size(), explored.findings[0].schedule.size());
                });
    EXPECT_EQ(told, 1U);
  }
}

// Its steps are those of what was known when it was found.
TEST(Driver, ShorteningTeachesNothing) {
  Driven driven(3, 2);
  driven.program.first_to_fail = 1;
  driven.program.teaches_aside = true;
  Plan plan = plan_for("optimal");
  plan.shortens = true;
  Driver driver(driven.subject, driven.watcher, plan);
  const Explored explored = driver.explore();
  ASSERT_EQ(explored.findings.size(), 1U);
  driver.tell(explored.findings,
              [&](const Finding& finding, const std::optional<Shortened>& shortened) {
                EXPECT_EQ(finding.schedule, explored.findings[0].schedule);
                EXPECT_FALSE(shortened.has_value());
              });
  EXPECT_FALSE(driven.subject.must_restart());
}

TEST(Driver, DoesNotTryAgainWhatTheProcessDiesOf) {
  Driven driven(3);
  driven.program.first_to_fail = 1;
  Plan plan = plan_for("optimal");
  plan.shortens = true;
  plan.crashing = {{{}, "came first"}};
  Driver driver(driven.subject, driven.watcher, plan);
  Finding deadly;
  deadly.message = "came first";
  driver.tell({deadly}, [](const Finding&, const std::optional<Shortened>& shortened) {
    EXPECT_FALSE(shortened.has_value());
  });
}

TEST(Driver, SamplesItsExecutions) {
  Driven driven(3);
  Driver driver(driven.subject, driven.watcher, plan_for("optimal"));
  Sample sample = driver.sample();
  EXPECT_EQ(sample.schedules.size(), 6U);
  std::uint64_t performed = 0;
  EXPECT_GE(replay(driven.program, sample, {}, [&] { ++performed; }), 0);
  EXPECT_EQ(performed, 6U);
}

TEST(Driver, EstimatesTheSizeOfTheSearch) {
  Driven driven(6);
  Plan plan = plan_for("optimal");
  plan.surveys = true;
  Driver driver(driven.subject, driven.watcher, plan);
  (void)driver.explore();
  while (!driver.survey().probe().estimate().believable && driver.survey().walk(1000)) {
  }
  const SizeEstimate estimate = driver.survey().probe().estimate();
  EXPECT_NEAR(estimate.total, 720, 720 * 4 * (estimate.error + 0.01));
}

TEST(Driver, WalksTeachTheSearchNothing) {
  Driven driven(3);
  driven.program.teaches_aside = true;
  Plan plan = plan_for("optimal");
  plan.surveys = true;
  Driver driver(driven.subject, driven.watcher, plan);
  EXPECT_EQ(driver.explore().statistics.executions, 6U);
  EXPECT_FALSE(driver.survey().walk(1000));  // of what it met there is no estimate
  EXPECT_FALSE(driven.subject.must_restart());
  EXPECT_EQ(driven.subject.restarts, 0U);
}

TEST(Subject, WhatTeachesIsPerformedOnceMore) {
  Driven driven(2);
  std::uint64_t performed = 0;
  const std::uint64_t result = perform_for_good(driven.subject, [&] {
    driven.program.taught = ++performed < 3;
    return performed;
  });
  EXPECT_EQ(result, 3U);
  EXPECT_EQ(driven.subject.restarts, 2U);
}

}  // namespace
}  // namespace mazurka
