#include "report/junit.hpp"

#include <cstdio>

#include "report/text.hpp"

namespace mazurka::report {

namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default:
        // XML has no way to write other control characters.
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') out += c;
    }
  }
  return out;
}

std::string element(const std::string& name, const std::string& message,
                    const std::string& content) {
  return "    <" + name + " message=\"" + escaped(message) + "\">" + escaped(content) + "</" +
         name + ">\n";
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
                    ">\n  <testcase classname=\"mazurka." + escaped(outcome.technique) +
                    "\" name=\"" + escaped(outcome.program) + "\" time=\"" + seconds + "\">\n";
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
