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
                                          .seconds = 10},
                                         120'433);
  EXPECT_EQ(text, "1,204,332 executions (120k/s), depth 24, about 25% done, 30 s left");
}

TEST(Progress, PlainLinesOutsideATerminal) {
  EXPECT_EQ(written(When::automatic, 5), "");
  const std::string text = written(When::automatic, 25);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  EXPECT_EQ(text.find('\033'), std::string::npos);
  EXPECT_EQ(written(When::never, 25), "");
}

}  // namespace
}  // namespace mazurka::report
