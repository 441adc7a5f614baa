#include "host/schedule_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include "host/files.hpp"
#include "host/named_program.hpp"

namespace mazurka::host {
namespace {

namespace fs = std::filesystem;

class InFreshFolder : public testing::Test {
 protected:
  void SetUp() override {
    before_ = fs::current_path();
    folder_ = fs::path(testing::TempDir()) / ("mazurka-schedule-" + std::to_string(getpid()));
    fs::create_directories(folder_);
    fs::current_path(folder_);
  }
  void TearDown() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }
  static ScheduleFile sample() {
    write_text("binary", "contents");
    ScheduleFile schedule;
    schedule.target.shown = schedule.target.binary = "binary";
    schedule.target.arguments = {"--fast", "a b"};
    schedule.target.racy = true;
    schedule.kind = "deadlock";
    schedule.message = "main waits";
    schedule.decisions = {{ProcessId{0}, 0}, {ProcessId{3}, 7}};
    identify(schedule);
    return schedule;
  }

 private:
  fs::path before_, folder_;
};
using ScheduleFileTest = InFreshFolder;

TEST_F(ScheduleFileTest, SurvivesTheDisk) {
  const fs::path file = save(sample(), 1);
  EXPECT_EQ(file.extension(), ".schedule");
  const ScheduleFile back = load_schedule(file);
  EXPECT_EQ(back.decisions, sample().decisions);
  EXPECT_EQ(back.target.arguments, sample().target.arguments);
  EXPECT_TRUE(back.target.racy);
  EXPECT_EQ(back.kind, "deadlock");
  EXPECT_EQ(back.binary_identity, file_identity("binary"));
}

TEST_F(ScheduleFileTest, DamageIsAClearError) {
  EXPECT_THROW((void)load_schedule("missing.schedule"), InputError);
  for (const char* text :
       {"", "not json", "[]", "{}", R"({"mazurka_schedule": 1})", R"({"mazurka_schedule": 99})"}) {
    write_text("bad.schedule", text);
    EXPECT_THROW((void)load_schedule("bad.schedule"), InputError) << text;
  }
  std::string cut = read_text(save(sample(), 1));
  write_text("bad.schedule", cut.substr(0, cut.size() / 2));
  EXPECT_THROW((void)load_schedule("bad.schedule"), InputError);
}

TEST_F(ScheduleFileTest, AnotherProgramIsRefused) {
  ScheduleFile schedule = load_schedule(save(sample(), 1));
  schedule.target.source = "source.c";
  schedule.source_identity = "0123456789abcdef";
  write_text("source.c", "int main(void) { return 0; }");
  EXPECT_THROW((void)find_target(schedule, {}), InputError);
  EXPECT_THROW((void)find_target(schedule, "/bin/sh"), InputError);
}

}  // namespace
}  // namespace mazurka::host
