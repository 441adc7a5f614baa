// Every row is one line of cells. Lifelines stand at fixed columns; an arrow runs from the sender's
// lifeline to the receiver's with its label on it. A label that is longer than its arrow is written
// behind the arrow instead. Lines are built as lists of cells, one code point each, so that
// positions are columns.
#include "report/chart.hpp"

#include <algorithm>
#include <vector>

#include "core/check.hpp"

namespace mazurka::report {

namespace {

constexpr std::size_t number_width = 4;
constexpr std::size_t narrowest_gap = 8;
constexpr std::size_t widest_gap = 28;

std::vector<std::string> cells_of(std::string_view text) {
  std::vector<std::string> cells;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xc0U) == 0x80U && !cells.empty()) {
      cells.back() += c;
    } else {
      cells.emplace_back(1, c);
    }
  }
  return cells;
}

class Line {
 public:
  void put(std::size_t column, const std::string& cell) {
    if (cells_.size() <= column) cells_.resize(column + 1, " ");
    cells_[column] = cell;
  }
  void write(std::size_t column, std::string_view text) {
    for (const std::string& cell : cells_of(text)) put(column++, cell);
  }
  [[nodiscard]] std::string text() const {
    std::string joined;
    for (const std::string& cell : cells_) joined += cell;
    joined.erase(joined.find_last_not_of(' ') + 1);
    return joined;
  }

 private:
  std::vector<std::string> cells_;
};

class Chart {
 public:
  Chart(const Story& story, const Style& style) : story_(story), style_(style) {}

  [[nodiscard]] std::string draw() {
    if (story_.rows.empty() || !place_lifelines()) return {};
    std::string out = painted(heads(), Ink::bold, style_) + '\n';
    for (std::size_t row = 0; row < story_.rows.size(); ++row) out += line_of(row);
    return out;
  }

 private:
  [[nodiscard]] std::string label_of(const StoryRow& row) const { return " " + row.action + " "; }

  // As far apart as the labels between neighbours and the heads ask for, within reason.
  bool place_lifelines() {
    const std::size_t columns = story_.processes.size();
    std::vector<std::size_t> gaps(columns, narrowest_gap);
    for (std::size_t at = 0; at + 1 < columns; ++at) {
      const std::size_t heads =
          (display_width(story_.processes[at]) + display_width(story_.processes[at + 1])) / 2 + 2;
      gaps[at] = std::max(gaps[at], std::min(heads, widest_gap));
    }
    for (const StoryRow& row : story_.rows) {
      const std::size_t from = row.from.value_or(row.process);
      const std::size_t left = std::min(from, row.process);
      if (std::max(from, row.process) != left + 1) continue;
      const std::size_t needed = display_width(label_of(row)) + 5;
      gaps[left] = std::max(gaps[left], std::min(needed, widest_gap));
    }
    std::size_t at = number_width + 2 + display_width(story_.processes[0]) / 2;
    for (std::size_t column = 0; column < columns; ++column) {
      lifelines_.push_back(at);
      at += gaps[column];
    }
    return lifelines_.back() + display_width(story_.processes.back()) / 2 < style_.width;
  }

  [[nodiscard]] std::string heads() const {
    Line line;
    for (std::size_t column = 0; column < lifelines_.size(); ++column) {
      const std::string& head = story_.processes[column];
      line.write(lifelines_[column] - std::min(lifelines_[column], display_width(head) / 2), head);
    }
    return line.text();
  }

  void draw_arrow(Line& line, std::size_t from, std::size_t to, std::size_t label_at,
                  const std::string& label) const {
    const bool right = to > from;
    const std::size_t low = std::min(from, to);
    const std::size_t high = std::max(from, to);
    for (std::size_t at = low + 1; at < high; ++at) line.put(at, style_.unicode ? "─" : "-");
    line.put(from, style_.unicode ? (right ? "├" : "┤") : "|");
    if (right) {
      line.put(to - 1, style_.unicode ? "▶" : ">");
    } else {
      line.put(to + 1, style_.unicode ? "◀" : "<");
    }
    line.write(label_at, label);
  }

  [[nodiscard]] std::string line_of(std::size_t index) const {
    const StoryRow& row = story_.rows[index];
    Line line;
    const std::string mark = row.failing ? (style_.unicode ? "✗" : "!") : " ";
    const std::string number = std::to_string(index + 1);
    line.write(0, mark + std::string(number.size() < 3 ? 3 - number.size() : 0, ' ') + number);
    for (const std::size_t at : lifelines_) line.put(at, style_.unicode ? "│" : "|");

    MAZURKA_CHECK(
        row.process < lifelines_.size() && row.from.value_or(row.process) < lifelines_.size(),
        "an arrow is drawn between lifelines");
    const std::size_t from = lifelines_[row.from.value_or(row.process)];
    const std::size_t to = lifelines_[row.process];
    const std::string label = label_of(row);
    const std::size_t width = display_width(label);
    const std::size_t length = from < to ? to - from : from - to;
    if (length == 0) {  // to itself, or a step that is nobody's message
      const bool message = row.from.has_value();
      line.write(to + 1, message ? (style_.unicode ? "↩" : "@") : (style_.unicode ? "•" : "*"));
      line.write(to + 2, label);
    } else if (width + 3 <= length) {
      draw_arrow(line, from, to, std::min(from, to) + 1 + (length - width) / 2, label);
    } else {
      draw_arrow(line, from, to, std::max(lifelines_.back(), std::max(from, to)) + 2, label);
    }
    const std::string text = line.text();
    return (row.failing ? painted(text, Ink::red, style_) : text) + '\n';
  }

  const Story& story_;
  const Style& style_;
  std::vector<std::size_t> lifelines_;
};

}  // namespace

std::string draw_chart(const Story& story, const Style& style) {
  return Chart(story, style).draw();
}

}  // namespace mazurka::report
