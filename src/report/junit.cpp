#include "report/junit.hpp"

#include <fmt/format.h>

#include "core/shown_text.hpp"
#include "report/markup.hpp"
#include "report/text.hpp"

namespace mazurka::report {

namespace {

std::string element(const std::string& name, const std::string& message,
                    const std::string& content) {
  return fmt::format("    <{0} message=\"{1}\">{2}</{0}>\n", name, markup(printable(message)),
                     markup(content));
}

}  // namespace

std::string junit(const Outcome& outcome) {
  const bool failed = outcome.verdict == Verdict::finding;
  const bool wrong = outcome.verdict == Verdict::error;
  const bool open = outcome.verdict == Verdict::inconclusive;
  const std::string seconds = fmt::format("{:.3f}", outcome.seconds);
  const std::string counts =
      fmt::format(R"(tests="1" failures="{:d}" errors="{:d}" skipped="{:d}" time="{}")", failed,
                  wrong, open, seconds);
  std::string out = fmt::format(R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites {0}>
 <testsuite name="mazurka" {0}>
  <testcase classname="mazurka.{1}" name="{2}" time="{3}">
)",
                                counts, markup(printable(outcome.technique)),
                                markup(printable(outcome.program)), seconds);
  if (failed) {
    const std::string message =
        outcome.findings.empty() ? outcome.reason : outcome.findings.front().finding.message;
    out += element("failure", message, text(outcome, Style{}));
  } else if (wrong) {
    out += element("error", outcome.reason, outcome.reason);
  } else if (open) {
    out += element("skipped", outcome.reason, text(outcome, Style{}));
  } else {
    out += fmt::format("    <system-out>{}</system-out>\n", markup(text(outcome, Style{})));
  }
  return out + "  </testcase>\n </testsuite>\n</testsuites>\n";
}

}  // namespace mazurka::report
