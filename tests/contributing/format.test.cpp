// A form of report is one file and one row: the one of CONTRIBUTING.md, added as it stands there.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/options.hpp"
#include "report/formats.hpp"

namespace mazurka {
namespace {

const report::Format* find_format(std::string_view option) {
  const auto rows = report::formats();
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const report::Format& format) {
    return format.option == option;
  });
  return found == rows.end() ? nullptr : &*found;
}

TEST(Contributing, AFormOfReportIsOneFileAndOneRow) {
  const report::Format* const line = find_format("--line");
  ASSERT_NE(line, nullptr);
  Outcome outcome;
  outcome.program = "p.c";
  outcome.findings.resize(1);
  outcome.findings[0].finding.message = "it fails";
  outcome.findings[0].replay_command = "mazurka replay";
  EXPECT_EQ(line->write(outcome), "p.c: it fails (mazurka replay)\n");
}

TEST(Contributing, TheCommandLineKnowsTheForm) {
  const char* const words[] = {"mazurka", "check", "p.c", "--line", "out.txt"};
  cli::Options options;
  ASSERT_FALSE(cli::parse(5, const_cast<char**>(words), options));
  const auto row = find_format("--line") - report::formats().data();
  EXPECT_EQ(options.reports.at(static_cast<std::size_t>(row)), "out.txt");
}

}  // namespace
}  // namespace mazurka
