// A kind of program is one file and one row: the one of CONTRIBUTING.md, added as it stands there.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cli/help.hpp"
#include "cli/kind.hpp"
#include "explorers/table.hpp"

namespace mazurka::cli {
namespace {

constexpr const char* crossed = "+a +b -b -a\n+b +a -a -b\n";
constexpr const char* ordered = "+a +b -b -a\n+a +b -b -a\n";

class Contributing : public testing::Test {
 protected:
  Contributing() : file_(testing::TempDir() + std::to_string(getpid()) + ".locks") {}
  ~Contributing() override { std::filesystem::remove(file_); }

  /// What the command line makes of a check of this script; the exit code if it is refused.
  std::optional<int> read(const std::string& script, std::vector<const char*> words) {
    std::ofstream(file_) << script;
    options_ = {};
    words.insert(words.begin(), {"mazurka", "check", file_.c_str()});
    return parse(static_cast<int>(words.size()), words.data(), options_, &mistake_);
  }
  Outcome check(const std::string& script, std::vector<const char*> words = {}) {
    Outcome told;
    if (read(script, std::move(words))) return told;
    const int code = options_.kind->check(options_, [&](const Outcome& outcome) {
      told = outcome;
      return 7;
    });
    EXPECT_EQ(code, 7);
    return told;
  }

  std::string file_;
  Options options_;
  std::string mistake_;
};

TEST_F(Contributing, AKindOfProgramIsOneFileAndOneRow) {
  const Outcome found = check(crossed);
  EXPECT_EQ(options_.kind->name, "locks");
  EXPECT_EQ(found.verdict, Verdict::finding);
  ASSERT_EQ(found.findings.size(), 1U);
  EXPECT_EQ(found.findings[0].finding.kind, FindingKind::deadlock);
  const Story& story = found.findings[0].story;
  ASSERT_EQ(story.rows.size(), 2U);
  EXPECT_EQ(story.rows[0].action, "+a");
  EXPECT_EQ(story.rows[1].action, "+b");
}

// Who takes a first, and who b: crossed, one of the four ways is impossible and one a deadlock.
TEST_F(Contributing, TechniquesExploreIt) {
  std::size_t tried = 0;
  for (const Technique& technique : techniques()) {
    const Promises& promises = technique.promises;
    const bool counts_traces = promises.seen == Promises::Seen::traces && promises.each_trace_once;
    if (technique.needs != Needs::nothing || !counts_traces) continue;
    const std::string name(technique.name);
    const Outcome verified = check(ordered, {"--technique", name.c_str()});
    EXPECT_EQ(verified.verdict, Verdict::verified) << name;
    EXPECT_EQ(verified.statistics.executions, 2U) << name;
    const Outcome found = check(crossed, {"--technique", name.c_str(), "--keep-going"});
    EXPECT_EQ(found.verdict, Verdict::finding) << name;
    EXPECT_EQ(found.statistics.executions, 3U) << name;
    ++tried;
  }
  EXPECT_GE(tried, 4U);
}

TEST_F(Contributing, WhatBelongsToOtherKindsIsRefused) {
  EXPECT_EQ(read(crossed, {"--leaks"}), 2);
  EXPECT_NE(mistake_.find("--leaks: it is for programs with threads and programs of MPI, and "),
            std::string::npos);
  EXPECT_EQ(read(crossed, {"--certify"}), 2);
  EXPECT_NE(mistake_.find("it is for networks of automata (.tck), and "), std::string::npos);
  EXPECT_EQ(read(crossed, {"--technique", "stateful"}), 2);
  EXPECT_NE(mistake_.find(" is a lock script"), std::string::npos);
  EXPECT_EQ(read(crossed, {"-O2"}), 2);
  EXPECT_NE(mistake_.find("it is not compiled"), std::string::npos);
}

TEST_F(Contributing, HelpListsTheKind) {
  EXPECT_NE(kinds_text().find("  locks     lock script: a file"), std::string::npos);
}

}  // namespace
}  // namespace mazurka::cli
