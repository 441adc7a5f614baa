#include "report/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/check.hpp"

namespace mazurka::report {

namespace {

constexpr std::size_t indent = 4;

std::string percent(double share) { return fmt::format("{:.0f}%", std::min(share, 1.0) * 100); }

std::string item(const std::string& text, const Style& style) {
  std::string out;
  const std::string mark = style.unicode ? "· " : "- ";
  bool first = true;
  for (const std::string& line : wrapped(text, style.width - indent - 2)) {
    out += std::string(indent, ' ') + (first ? mark : "  ") + line + '\n';
    first = false;
  }
  return out;
}

std::string size_in_words(const Outcome& outcome) {
  const Advice& advice = outcome.advice;
  std::string text =
      fmt::format("an execution has about {} events; ", roughly(std::max(1.0, advice.events)));
  if (advice.total > 0) {
    text += fmt::format("{}about {} executions in all (give or take {}), of which ",
                        advice.fewer ? "at most " : "", roughly(advice.total),
                        percent(2 * advice.error));
  } else if (advice.at_least > static_cast<double>(outcome.statistics.executions)) {
    text += fmt::format("{} more than {} executions, of which ",
                        advice.fewer ? "other techniques would need" : "there are",
                        roughly(advice.at_least));
  }
  return text + grouped(outcome.statistics.executions) + " were seen";
}

/// `branches`: it is known where they are.
std::string line_in_words(const HotLine& line, bool branches) {
  MAZURKA_CHECK(line.events >= 0 && line.events <= 1.001 && line.branching >= 0,
                "a line has a part of the events");
  std::string text = line.place;
  if (!line.function.empty()) text += " in " + line.function;
  text += fmt::format(": {} of the events{}; ", percent(line.events),
                      branches ? ", " + percent(line.branching) + " of the branches" : "");
  if (line.processes > 1) text += grouped(line.processes) + " threads, each ";
  text += "up to " + counted(line.rounds, "time");
  if (line.tries > 0) text += ", " + grouped(line.tries) + " of these in a row and in vain";
  return text;
}

}  // namespace

std::string roughly(double number) {
  if (number < 1e6) return grouped(static_cast<std::uint64_t>(std::llround(number)));
  if (number < 1e9) return fmt::format("{:.1f} million", number / 1e6);
  const double power = std::floor(std::log10(number));
  return fmt::format("{:.0f} * 10^{:.0f}",
                     std::max(1.0, std::floor(number / std::pow(10.0, power))), power);
}

std::string in_words(const Trial& trial) {
  const std::string seconds = fmt::format("{:.2f} s", trial.seconds);
  const std::string executions = counted(trial.executions, "execution");
  if (trial.found) return fmt::format("a finding within {}, {}", seconds, executions);
  if (!trial.complete) return fmt::format("not complete in {}, {}", seconds, executions);
  return fmt::format("complete in {}, {}, no finding: {}", seconds, executions,
                     trial.partial ? "all that is within the bound"
                                   : "that would settle it, under what it assumes");
}

std::string advice_text(const Outcome& outcome, const Style& style) {
  const Advice& advice = outcome.advice;
  if (advice.empty() || outcome.verdict != Verdict::inconclusive) return {};
  std::string out = "\n  " + painted("Too large?", Ink::bold, style) + "\n";
  out += item(size_in_words(outcome), style);
  const bool branches = std::any_of(advice.lines.begin(), advice.lines.end(),
                                    [](const HotLine& line) { return line.branching > 0; });
  for (const HotLine& line : advice.lines) out += item(line_in_words(line, branches), style);
  if (!advice.trials.empty()) {
    out += "  " + painted("Tried for a moment:", Ink::bold, style) + "\n";
    for (const Trial& trial : advice.trials) {
      out += item(trial.options + ": " + in_words(trial), style);
    }
  }
  if (!advice.hints.empty()) {
    out += "  " + painted("Not tried, but would help:", Ink::bold, style) + "\n";
    for (const std::string& hint : advice.hints) out += item(hint, style);
  }
  return out;
}

}  // namespace mazurka::report
