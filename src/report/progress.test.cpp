#include "report/progress.hpp"

#include <gtest/gtest.h>

namespace mazurka::report {
namespace {

std::string written(When when, double seconds) {
  std::FILE* file = std::tmpfile();
  {
    ProgressLine line(when, file);
    for (double now = 0.5; now < seconds; now += 0.5) {
      line.update({.executions = static_cast<std::uint64_t>(now * 1000),
                   .asleep = 0,
                   .events = 0,
                   .depth = 12,
                   .explored = 0.5,
                   .at_least = 0,
                   .seconds = now});
    }
  }
  std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
  std::rewind(file);
  EXPECT_EQ(std::fread(text.data(), 1, text.size(), file), text.size());
  std::fclose(file);
  return text;
}

TEST(Progress, SaysWhatIsDoneAndWhatIsLeft) {
  const std::string text = progress_text({.executions = 1'204'332,
                                          .asleep = 0,
                                          .events = 0,
                                          .depth = 24,
                                          .explored = 0.25,
                                          .at_least = 0,
                                          .seconds = 10},
                                         120'433, 100);
  EXPECT_EQ(text, "1,204,332 executions (120k/s), about 25% done, 30 s left, depth 24");
}

TEST(Progress, NothingIsSaidOfWhatIsNotKnown) {
  Snapshot now{.executions = 12'000, .asleep = 3, .events = 0, .depth = 24, .seconds = 10};
  EXPECT_EQ(progress_text(now, 1200, 100), "12,000 executions (1200/s), depth 24, 3 asleep");
  now.at_least = 2.9e12;
  EXPECT_EQ(progress_text(now, 1200, 60),
            "12,000 executions (1200/s), of more than 2 * 10^12, depth 24");
  now.at_least = 11'000;  // has been disproved
  EXPECT_EQ(progress_text(now, 1200, 100), "12,000 executions (1200/s), depth 24, 3 asleep");
}

TEST(Progress, FitsTheTerminal) {
  const Snapshot now{.executions = 1'204'332,
                     .asleep = 17,
                     .events = 0,
                     .depth = 24,
                     .explored = 0.25,
                     .at_least = 0,
                     .seconds = 10};
  EXPECT_EQ(progress_text(now, 120'433, 40), "1,204,332 executions (120k/s), depth 24");
  EXPECT_EQ(progress_text(now, 120'433, 55),
            "1,204,332 executions (120k/s), about 25% done, depth 24");
  EXPECT_EQ(progress_text(now, 120'433, 56),
            "1,204,332 executions (120k/s), about 25% done, 30 s left");
  for (std::size_t width = 30; width < 120; ++width) {
    EXPECT_LE(display_width(progress_text(now, 120'433, width)), width);
  }
}

TEST(Progress, PlainLinesOutsideATerminal) {
  EXPECT_EQ(written(When::automatic, 5), "");
  const std::string text = written(When::automatic, 25);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  EXPECT_EQ(text.find('\033'), std::string::npos);
  EXPECT_EQ(written(When::never, 25), "");
}

TEST(Progress, IsAlsoForPrograms) {
  Snapshot now;
  now.executions = 12;
  now.seconds = 1.5;
  now.latest = {{3, 7, "complete"}, {6, 8, "asleep"}};
  EXPECT_EQ(progress_json(now, 20),
            R"({"executions":12,"asleep":0,"events":0,"depth":0,"explored":0.000000,"at_least":0,)"
            R"("seconds":1.500,"rate":20,"stage":"","latest":[[3,7,"complete"],[6,8,"asleep"]]})");
}

}  // namespace
}  // namespace mazurka::report
