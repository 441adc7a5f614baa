#include "report/junit.hpp"

#include <cstdio>

#include "core/shown_text.hpp"
#include "report/text.hpp"

namespace mazurka::report {

namespace {

/// XML has no way to write most control characters, nor what is not UTF-8.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable_lines(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  }
  return out;
}

std::string element(const std::string& name, const std::string& message,
                    const std::string& content) {
  return "    <" + name + " message=\"" + escaped(printable(message)) + "\">" + escaped(content) +
         "</" + name + ">\n";
}

}  // namespace

std::string junit(const Outcome& outcome) {
  const bool failed = outcome.verdict == Verdict::finding;
  const bool wrong = outcome.verdict == Verdict::error;
  const bool open = outcome.verdict == Verdict::inconclusive;
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.3f", outcome.seconds);
  const std::string counts = std::string(" tests=\"1\" failures=\"") + (failed ? "1" : "0") +
                             "\" errors=\"" + (wrong ? "1" : "0") + "\" skipped=\"" +
                             (open ? "1" : "0") + "\" time=\"" + seconds + "\"";
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + counts +
                    ">\n <testsuite name=\"mazurka\"" + counts +
                    ">\n  <testcase classname=\"mazurka." + escaped(printable(outcome.technique)) +
                    "\" name=\"" + escaped(printable(outcome.program)) + "\" time=\"" + seconds +
                    "\">\n";
  if (failed) {
    const std::string message =
        outcome.findings.empty() ? outcome.reason : outcome.findings.front().finding.message;
    out += element("failure", message, text(outcome, Style{}));
  } else if (wrong) {
    out += element("error", outcome.reason, outcome.reason);
  } else if (open) {
    out += element("skipped", outcome.reason, text(outcome, Style{}));
  } else {
    out += "    <system-out>" + escaped(text(outcome, Style{})) + "</system-out>\n";
  }
  return out + "  </testcase>\n </testsuite>\n</testsuites>\n";
}

}  // namespace mazurka::report
