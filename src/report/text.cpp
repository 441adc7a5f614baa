#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/check.hpp"
#include "report/advice.hpp"
#include "report/chart.hpp"
#include "report/comparison.hpp"
#include "report/printable.hpp"
#include "report/repair.hpp"

namespace mazurka::report {

namespace {

constexpr std::size_t narrowest_column = 14;
constexpr std::size_t widest_place = 28;
constexpr std::size_t longest_stack = 8;
constexpr std::size_t narrowest_source = 24;
constexpr std::size_t widest_source = 60;
constexpr std::string_view gap = "  ";

std::string seconds_text(double seconds) {
  return fmt::format("{:.{}f} s", seconds, seconds < 100 ? 2 : 0);
}

/// With what processors have computed, where that is not nearly the same and nothing short.
std::string time_text(const Outcome& outcome) {
  constexpr double short_time = 0.5;  // seconds: that much are starting and telling
  constexpr double nearly = 0.1;
  const double seconds = outcome.seconds;
  const double computed = outcome.processor_seconds;
  const bool differs = std::abs(computed - seconds) > nearly * seconds;
  if (computed == 0 || seconds < short_time || !differs) return seconds_text(seconds);
  return fmt::format("processors {} in {}", seconds_text(computed), seconds_text(seconds));
}

/// A row's action, with the mark of where its value came from.
std::string marked_action(const StoryRow& row, const Style& style) {
  std::string text = row.action;
  if (row.read_from) text += fmt::format(" {} {}", style.unicode ? "⟵" : "<-", *row.read_from + 1);
  if (row.overtakes) text += fmt::format(" ({} is newer)", *row.overtakes + 1);
  return text;
}

std::string row_number(std::size_t row, bool failing, std::size_t width, const Style& style) {
  const std::string mark = failing ? (style.unicode ? "✗" : "!") : " ";
  return fmt::format("{}{:>{}}", mark, row + 1, width - 1);
}

class Table {
 public:
  Table(const Story& story, const Style& style) : story_(story), style_(style) { measure(); }

  [[nodiscard]] std::string draw() const {
    if (story_.rows.empty()) return {};
    const std::string head = as_list_ ? std::string() : draw_heads();
    std::string out;
    bool folded = false;
    for (std::size_t row = 0; row < story_.rows.size();) {
      if (is_folded(row)) {
        folded = true;
        out += draw_fold(row);
        continue;
      }
      out += reason(row) + (as_list_ ? list_row(row) : columns_of(row)) + no_return(row);
      ++row;
    }
    if (folded)
      out += '\n' + indent() + painted("--all-rows shows what is folded", Ink::dim, style_) + '\n';
    return head + out;
  }

 private:
  /// How much room the rows would like to have.
  struct Wishes {
    std::vector<std::size_t> columns;  // per process
    std::size_t action = 0;
    std::size_t source = 0;
  };

  void measure() {
    const Wishes wishes = read_wishes();
    const std::size_t columns = wishes.columns.size();
    const std::size_t fixed = number_width_ + place_width_ + (columns + 1) * gap.size();
    std::size_t available = style_.width > fixed ? style_.width - fixed : 0;
    as_list_ = columns == 0 || available / columns < narrowest_column;
    // The source is shown where it takes no room from the rest.
    const std::size_t wanted =
        as_list_ ? name_width_ + gap.size() + wishes.action
                 : std::accumulate(wishes.columns.begin(), wishes.columns.end(), std::size_t{0});
    const std::size_t room =
        as_list_ && style_.width > number_width_ + place_width_ + 3 * gap.size()
            ? style_.width - number_width_ - place_width_ - 3 * gap.size()
            : available;
    if (wishes.source > 0 && room >= wanted + gap.size() + narrowest_source) {
      source_width_ = std::min(wishes.source, room - wanted - gap.size());
      available -= std::min(available, source_width_ + gap.size());
    }
    if (as_list_) {
      const std::size_t source = source_width_ == 0 ? 0 : source_width_ + gap.size();
      const std::size_t used = number_width_ + name_width_ + place_width_ + 3 * gap.size() + source;
      action_width_ = std::max(style_.width > used ? style_.width - used : 0, narrowest_column);
    } else {
      share(available, wishes.columns);
    }
  }

  /// And settles what does not depend on the width of the terminal.
  Wishes read_wishes() {
    Wishes wishes;
    for (const std::string& head : story_.processes) {
      wishes.columns.push_back(display_width(head));
    }
    number_width_ = std::max(number_width_, std::to_string(story_.rows.size()).size() + 1);
    for (std::size_t at = 0; at < story_.rows.size(); ++at) {
      if (is_folded(at)) continue;
      const StoryRow& row = story_.rows[at];
      MAZURKA_CHECK(row.process < wishes.columns.size(), "a row is that of a process of the story");
      std::size_t& width = wishes.columns[row.process];
      const std::size_t action = display_width(marked_action(row, style_));
      width = std::max(width, action);
      wishes.action = std::max(wishes.action, action);
      wishes.source = std::max(wishes.source, display_width(row.source));
      place_width_ = std::max(place_width_, display_width(row.place));
      name_width_ = std::max(name_width_, display_width(story_.processes[row.process]));
    }
    wishes.source = std::min(wishes.source, widest_source);
    place_width_ = std::min(place_width_, widest_place);
    name_width_ = std::min<std::size_t>(name_width_, 20);
    return wishes;
  }

  /// Narrow columns take what they need; the rest is shared among the wide ones.
  void share(std::size_t available, const std::vector<std::size_t>& wishes) {
    widths_.assign(wishes.size(), 0);
    std::vector<bool> settled(wishes.size(), false);
    std::size_t rest = available;
    std::size_t open = wishes.size();
    for (bool changed = true; changed && open > 0;) {
      changed = false;
      const std::size_t part = rest / open;
      for (std::size_t i = 0; i < wishes.size(); ++i) {
        if (settled[i] || wishes[i] > part) continue;
        settled[i] = changed = true;
        widths_[i] = wishes[i];
        rest -= wishes[i];
        --open;
      }
    }
    MAZURKA_CHECK(rest <= available, "columns are given no more room than there is");
    for (std::size_t i = 0; i < wishes.size(); ++i) {
      if (!settled[i]) widths_[i] = rest / open;
    }
  }

  [[nodiscard]] bool is_folded(std::size_t row) const {
    return !style_.all_rows && !story_.rows[row].folded.empty();
  }
  [[nodiscard]] std::string indent() const {
    return std::string(number_width_, ' ') + std::string(gap);
  }

  /// One line for a run of rows that are left out; `row` becomes the one after them.
  [[nodiscard]] std::string draw_fold(std::size_t& row) const {
    const std::string& text = story_.rows[row].folded;
    const std::size_t first = row;
    while (row < story_.rows.size() && is_folded(row) && story_.rows[row].folded == text) ++row;
    const std::string numbers =
        row == first + 1 ? fmt::to_string(row)
                         : fmt::format("{}{}{}", first + 1, style_.unicode ? "–" : "-", row);
    const std::string mark = style_.unicode ? "⋯ " : "... ";
    std::string out;
    for (const std::string& line :
         wrapped(fmt::format("{}{} ({})", mark, text, numbers), style_.width - 6)) {
      out += indent() + painted(line, Ink::dim, style_) + '\n';
    }
    return out;
  }

  [[nodiscard]] std::string draw_heads() const {
    std::string out = std::string(number_width_, ' ');
    std::string rule = std::string(number_width_, ' ');
    for (std::size_t i = 0; i < widths_.size(); ++i) {
      out += gap;
      out += painted(padded(cut_end(story_.processes[i], widths_[i], style_), widths_[i]),
                     Ink::bold, style_);
      rule += gap;
      for (std::size_t k = 0; k < widths_[i]; ++k) rule += style_.unicode ? "─" : "-";
    }
    out.erase(out.find_last_not_of(' ') + 1);
    out += '\n';
    return out + painted(rule, Ink::dim, style_) + '\n';
  }

  [[nodiscard]] std::string columns_of(std::size_t index) const {
    const StoryRow& row = story_.rows[index];
    const std::vector<std::string> lines =
        wrapped(marked_action(row, style_), widths_[row.process]);
    std::string out;
    for (std::size_t line = 0; line < lines.size(); ++line) {
      std::string text = line == 0 ? row_number(index, row.failing, number_width_, style_)
                                   : std::string(number_width_, ' ');
      for (std::size_t i = 0; i < widths_.size(); ++i) {
        text += gap;
        text += padded(i == row.process ? lines[line] : std::string(), widths_[i]);
      }
      out += finish_line(text, line == 0 ? place_and_source(row) : std::string(), row.failing);
    }
    return out;
  }

  [[nodiscard]] std::string list_row(std::size_t index) const {
    const StoryRow& row = story_.rows[index];
    const std::vector<std::string> lines = wrapped(marked_action(row, style_), action_width_);
    std::string out;
    for (std::size_t line = 0; line < lines.size(); ++line) {
      const bool first = line == 0;
      std::string text = first ? row_number(index, row.failing, number_width_, style_)
                               : std::string(number_width_, ' ');
      text += gap;
      text += padded(first ? cut_end(story_.processes[row.process], name_width_, style_) : "",
                     name_width_);
      text += gap;
      text += padded(lines[line], action_width_);
      out += finish_line(text, first ? place_and_source(row) : std::string(), row.failing);
    }
    return out;
  }

  [[nodiscard]] std::string place_and_source(const StoryRow& row) const {
    std::string text = std::string(gap) + cut_begin(row.place, place_width_, style_);
    if (source_width_ == 0 || row.source.empty()) return text;
    return padded(text, gap.size() + place_width_) + std::string(gap) +
           cut_end(row.source, source_width_, style_);
  }

  [[nodiscard]] std::string reason(std::size_t index) const {
    const StoryRow& row = story_.rows[index];
    if (row.switch_reason.empty()) return {};
    const std::string mark = style_.unicode ? "· " : "- ";
    std::string out;
    for (const std::string& line : wrapped(mark + row.switch_reason, style_.width - 6)) {
      out += std::string(number_width_, ' ') + std::string(gap) + painted(line, Ink::dim, style_) +
             '\n';
    }
    return out;
  }

  [[nodiscard]] std::string no_return(std::size_t index) const {
    if (!story_.rows[index].no_return) return {};
    const std::string rule = style_.unicode ? "━━ " : "== ";
    return std::string(number_width_, ' ') + std::string(gap) +
           painted(rule + "point of no return: from here on every continuation fails", Ink::yellow,
                   style_) +
           '\n';
  }

  [[nodiscard]] std::string finish_line(const std::string& text, const std::string& place,
                                        bool failing) const {
    std::string line = text + place;
    if (place.find_first_not_of(' ') == std::string::npos) {
      line.erase(line.find_last_not_of(' ') + 1);
      return (failing ? painted(line, Ink::red, style_) : line) + '\n';
    }
    return (failing ? painted(text, Ink::red, style_) : text) + painted(place, Ink::dim, style_) +
           '\n';
  }

  const Story& story_;
  const Style& style_;
  std::vector<std::size_t> widths_;
  std::size_t number_width_ = 4;  // with a mark before it
  std::size_t place_width_ = 0;
  std::size_t source_width_ = 0;  // 0: there is no room
  std::size_t name_width_ = 0;    // of a list
  std::size_t action_width_ = 0;  // of a list
  bool as_list_ = false;
};

std::string stacks_of(const Story& story, const Style& style) {
  std::string out;
  for (std::size_t i = 0; i < story.rows.size(); ++i) {
    const StoryRow& row = story.rows[i];
    const bool folded = !style.all_rows && !row.folded.empty();
    if ((!row.failing && (!style.stacks || folded)) || row.stack.empty()) continue;
    out += fmt::format("  stack of {} at {}:\n", story.processes[row.process], i + 1);
    for (std::size_t k = 0; k < row.stack.size() && k < longest_stack; ++k) {
      out += "    " + cut_end(row.stack[k], style.width - 4, style) + '\n';
    }
    if (row.stack.size() > longest_stack) {
      out += "    and " + counted(row.stack.size() - longest_stack, "more frame") + '\n';
    }
  }
  return out;
}

std::string finding_text(const FindingReport& report, const Style& style) {
  const Story& story = report.story;
  std::string title(name(report.finding.kind));
  std::string_view message = report.finding.message;
  if (message.starts_with(title)) {  // "assertion `x` fails" needs no second "assertion"
    message.remove_prefix(title.size());
  } else {
    title += ": ";
  }
  title[0] = static_cast<char>(title[0] - 'a' + 'A');
  std::string out = painted(title, Ink::red, style) + painted(message, Ink::bold, style);
  // A data race's message has both places already.
  if (!story.place.empty() && report.finding.message.find(story.place) == std::string::npos) {
    out += " at " + story.place;
  }
  const std::string chart = story.layout == StoryLayout::chart ? draw_chart(story, style) : "";
  out += "\n\n" + (chart.empty() ? Table(story, style).draw() : chart);
  const auto add_lines = [&](const std::vector<std::string>& texts) {
    if (!texts.empty()) out += '\n';
    for (const std::string& one : texts) {
      const std::vector<std::string> lines = wrapped(one, style.width - 4);
      for (std::size_t i = 0; i < lines.size(); ++i)
        out += std::string(i == 0 ? 2 : 4, ' ') + lines[i] + '\n';
    }
  };
  add_lines(story.endings);
  add_lines(story.remarks);
  if (!story.drawing.empty()) out += '\n';
  for (const std::string& line : story.drawing) out += "  " + line + '\n';
  if (!story.summary.empty()) out += "\n  " + painted(story.summary, Ink::dim, style) + '\n';
  if (const std::string stacks = stacks_of(story, style); !stacks.empty()) out += '\n' + stacks;
  if (!report.replay_command.empty()) {
    out += "\n  replay: " + painted(report.replay_command, Ink::bold, style) + '\n';
  }
  return out;
}

}  // namespace

std::string verdict_sentence(const Outcome& given, const Style& style) {
  const Outcome outcome = printable_outcome(given);
  const Statistics& counts = outcome.statistics;
  std::string explored = counted(counts.executions, "execution");
  if (!outcome.explored.empty()) explored = outcome.explored;
  if (counts.repeated > 0) {
    explored += fmt::format(" ({} before the search began anew)", grouped(counts.repeated));
  }
  const auto add = [&](std::uint64_t count, std::string_view how) {
    if (count > 0) explored += fmt::format(" and {} {}", grouped(count), how);
  };
  add(counts.assumed, "ended by assumptions");
  add(counts.in_vain, "in vain");
  add(counts.asleep, "asleep");
  add(counts.impossible, "impossible");
  const std::string suppressed =
      outcome.suppressed.empty()
          ? std::string()
          : fmt::format(", {} suppressed", counted(outcome.suppressed.size(), "race"));
  const std::string how = fmt::format("{} ({}{}{}, {})", suppressed, outcome.technique,
                                      outcome.memory.empty() ? "" : ", " + outcome.memory,
                                      outcome.racy ? ", racy" : "", time_text(outcome));
  switch (outcome.verdict) {
    case Verdict::verified:
      return painted(outcome.sequential ? "VERIFIED under sequential consistency" : "VERIFIED",
                     Ink::green, style) +
             "  " + outcome.program + ": " + explored + ", no finding" + how;
    case Verdict::finding:
      return fmt::format("{}  {}: {}, {}{}", painted("FINDING", Ink::red, style), outcome.program,
                         outcome.reason, explored, how);
    case Verdict::inconclusive:
      return fmt::format("{}  {}: {}; {}{}{}", painted("INCONCLUSIVE", Ink::yellow, style),
                         outcome.program, outcome.reason, explored,
                         outcome.findings.empty() ? ", no finding so far" : "", how);
    case Verdict::error: break;
  }
  return fmt::format("{}  {}: {}", painted("ERROR", Ink::red, style), outcome.program,
                     outcome.reason);
}

std::string text(const Outcome& given, const Style& style) {
  const Outcome outcome = printable_outcome(given);
  std::string out = verdict_sentence(outcome, style) + '\n';
  for (const std::string& note : outcome.notes) {
    const std::vector<std::string> lines = wrapped("note: " + note, style.width - 4);
    for (const std::string& line : lines) out += "  " + painted(line, Ink::dim, style) + '\n';
  }
  if (!outcome.resume_command.empty()) {
    out += "  resume: " + painted(outcome.resume_command, Ink::bold, style) + '\n';
  }
  out += advice_text(outcome, style);
  for (const FindingReport& report : outcome.findings) out += '\n' + finding_text(report, style);
  return out + repair_text(outcome.repair, style) + comparison_text(outcome, style);
}

}  // namespace mazurka::report
