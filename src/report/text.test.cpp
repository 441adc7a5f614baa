#include "report/text.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "report/sample_outcome.hpp"

namespace mazurka::report {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Text, TheVerdictComesFirst) {
  Outcome outcome = sample_outcome();
  EXPECT_TRUE(text(outcome, {}).starts_with("FINDING  bank.cpp: 1 finding, 3 executions"));
  outcome.findings.clear();
  outcome.verdict = Verdict::verified;
  outcome.statistics.executions = 24;
  EXPECT_TRUE(
      text(outcome, {})
          .starts_with("VERIFIED  bank.cpp: 24 executions, no finding (optimal, 0.01 s)\n"));
  outcome.verdict = Verdict::inconclusive;
  outcome.reason = "--max-time is over";
  EXPECT_TRUE(text(outcome, {}).starts_with("INCONCLUSIVE  bank.cpp: --max-time is over"));
  EXPECT_TRUE(contains(text(outcome, {}), "note: atomics weaker"));
}

TEST(Text, TheVerdictSaysWhatItRestsOn) {
  Outcome outcome = sample_outcome();
  outcome.findings.clear();
  outcome.verdict = Verdict::verified;
  outcome.sequential = true;
  outcome.statistics.executions = 24;
  outcome.statistics.repeated = 4;
  outcome.statistics.assumed = 2;
  EXPECT_TRUE(text(outcome, {})
                  .starts_with("VERIFIED under sequential consistency  bank.cpp: 24 executions (4 "
                               "before the search began "
                               "anew) and 2 ended by assumptions, no finding"));
  EXPECT_EQ(in_words(outcome), "verified under sequential consistency");
}

TEST(Text, EveryProcessHasItsColumn) {
  const std::string out = text(sample_outcome(), {});
  const std::vector<std::string> lines = lines_of(out);
  std::size_t head = 0;
  while (head < lines.size() && !contains(lines[head], "T2 withdraw")) ++head;
  ASSERT_LT(head + 1, lines.size());
  for (const std::string& line : lines) {
    if (contains(line, "write balance") && !contains(line, "held up")) {
      EXPECT_EQ(line.find("write balance"), lines[head].find("T2 withdraw"));
      EXPECT_TRUE(contains(line, "<- 2"));
      EXPECT_TRUE(line.starts_with("!"));
    }
  }
  EXPECT_TRUE(contains(out, "T1 is held up before: write balance"));
  EXPECT_TRUE(contains(out, "replay: mazurka replay .mazurka/bank-1.schedule"));
  EXPECT_TRUE(contains(out, "withdraw (bank.cpp:13)"));
  EXPECT_FALSE(contains(out, "\033"));
}

TEST(Text, NoLineIsWiderThanTheTerminal) {
  for (const std::size_t width : {60U, 80U, 100U, 140U}) {
    for (const bool unicode : {false, true}) {
      const Style style{.color = false, .unicode = unicode, .width = width};
      Outcome outcome = sample_outcome();
      for (StoryRow& row : outcome.findings[0].story.rows) row.action += " and a lot more words";
      const std::vector<std::string> lines = lines_of(text(outcome, style));
      for (std::size_t i = 4; i + 2 < lines.size(); ++i) {  // the table and what follows it
        EXPECT_LE(display_width(lines[i]), width) << lines[i];
      }
    }
  }
}

TEST(Text, ManyProcessesBecomeAList) {
  Outcome outcome = sample_outcome();
  Story& story = outcome.findings[0].story;
  for (int i = 3; i < 40; ++i) story.processes.push_back("T" + std::to_string(i));
  const std::string out = text(outcome, {});
  EXPECT_TRUE(contains(out, "T2 withdraw  write balance = 50"));
  EXPECT_FALSE(contains(out, "T39"));
}

TEST(Text, AFindingWithoutAStoryIsFine) {
  Outcome outcome = sample_outcome();
  outcome.findings[0].story = {};
  EXPECT_TRUE(contains(text(outcome, {}), "Data race: balance"));
}

}  // namespace
}  // namespace mazurka::report
