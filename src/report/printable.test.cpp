// Whatever a program calls its threads, variables and files: every form of the report stays valid,
// and no terminal is commanded by it.
#include "report/printable.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "core/shown_text.hpp"
#include "report/json.hpp"
#include "report/junit.hpp"
#include "report/sample_outcome.hpp"
#include "report/sarif.hpp"
#include "report/text.hpp"

namespace mazurka::report {
namespace {

const std::string hostile = "\033]0;title\007<&\"'>]]>\xff\xc2\x9b\xe2\x80\xae\xef\xbf\xbe\r\nnext";

Outcome hostile_outcome() {
  Outcome outcome = sample_outcome();
  outcome.program = outcome.reason = outcome.technique = hostile;
  outcome.notes = {hostile};
  outcome.resume_command = hostile;
  FindingReport& report = outcome.findings[0];
  report.finding.message = report.replay_command = hostile;
  Story& story = report.story;
  for (std::string& process : story.processes) process = hostile;
  for (StoryRow& row : story.rows) {
    row.action = row.switch_reason = hostile;
    row.place = hostile + ":12";
    row.stack = {hostile};
  }
  story.endings = story.remarks = story.drawing = {hostile};
  story.summary = hostile;
  story.place = hostile + ":12";
  return outcome;
}

bool harmless(const std::string& text) { return printable_lines(text) == text; }

TEST(Printable, NoCommandReachesTheTerminal) {
  const Outcome outcome = hostile_outcome();
  for (const StoryLayout layout : {StoryLayout::table, StoryLayout::chart}) {
    for (const std::size_t width : {40U, 100U, 200U}) {
      Outcome shown = outcome;
      shown.findings[0].story.layout = layout;
      const Style style{.width = width, .stacks = true};
      EXPECT_TRUE(harmless(text(shown, style))) << text(shown, style);
      EXPECT_TRUE(harmless(verdict_sentence(shown, style)));
    }
  }
  EXPECT_NE(text(outcome, Style{}).find("\\x1b]0;title"), std::string::npos);
}

TEST(Printable, OurOwnColoursDo) {
  EXPECT_NE(text(hostile_outcome(), Style{.color = true}).find("\033[1;31m"), std::string::npos);
}

TEST(Printable, JunitHasOnlyCharactersOfXml) {
  for (const Verdict verdict :
       {Verdict::verified, Verdict::finding, Verdict::error, Verdict::inconclusive}) {
    Outcome outcome = hostile_outcome();
    outcome.verdict = verdict;
    const std::string report = junit(outcome);
    EXPECT_TRUE(harmless(report)) << report;
    EXPECT_EQ(report.find("<&"), std::string::npos);
  }
}

TEST(Printable, SarifHasUris) {
  Outcome outcome = sample_outcome();
  const auto uri_of = [&](const std::string& file) {
    outcome.findings[0].story.place = file + ":7";
    const auto document = nlohmann::json::parse(sarif(outcome));
    const auto& place = document["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    EXPECT_EQ(place["region"]["startLine"], 7);
    return place["artifactLocation"]["uri"].get<std::string>();
  };
  EXPECT_EQ(uri_of("src/bank.cpp"), "src/bank.cpp");
  EXPECT_EQ(uri_of("my project/50%#1?.cpp"), "my%20project/50%25%231%3F.cpp");
  EXPECT_EQ(uri_of("c:x.cpp"), "c%3Ax.cpp");  // no scheme
  EXPECT_EQ(uri_of("/usr/include/a+b.h"), "file:///usr/include/a%2Bb.h");
  EXPECT_EQ(uri_of("gr\xc3\xb6\xff.c"), "gr%C3%B6%FF.c");
  EXPECT_TRUE(nlohmann::json::accept(sarif(hostile_outcome())));
  EXPECT_TRUE(nlohmann::json::accept(json(hostile_outcome())));
}

TEST(Printable, LargeNumbersAreStringsInJson) {
  Outcome outcome = sample_outcome();
  outcome.statistics.events = (std::uint64_t{1} << 53U);
  outcome.statistics.transitions = (std::uint64_t{1} << 53U) + 1;
  outcome.statistics.digest = 5;
  const auto document = nlohmann::json::parse(json(outcome));
  EXPECT_EQ(document["events"], 9007199254740992U);
  EXPECT_EQ(document["statistics"]["transitions"], "9007199254740993");
  EXPECT_EQ(document["statistics"]["digest"], "5");
}

}  // namespace
}  // namespace mazurka::report
