#include "report/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/check.hpp"

namespace mazurka::report {

namespace {

using Cells = std::vector<std::string>;

Cells cells_of(const Compared& one) {
  return {one.technique,
          one.explored.empty() ? grouped(one.executions) : one.explored,
          grouped(one.asleep),
          grouped(one.events),
          fmt::format("{:.2f} s", one.seconds),
          fmt::format("{:.2f} s", one.processor_seconds),
          fmt::format("{} MB", grouped(one.peak_memory >> 20U)),
          std::string(name(one.verdict))};
}

bool is_number(std::size_t column) { return column > 0 && column < 7; }

}  // namespace

std::string comparison_text(const Outcome& outcome, const Style& style) {
  if (outcome.comparison.empty()) return {};
  std::vector<Cells> table{
      {"technique", "executions", "in vain", "events", "time", "processors", "memory", "verdict"}};
  for (const Compared& one : outcome.comparison) table.push_back(cells_of(one));
  std::vector<std::size_t> widths(table[0].size());
  for (const Cells& row : table) {
    MAZURKA_CHECK(row.size() == widths.size(), "a row has a cell in each column");
    for (std::size_t at = 0; at < row.size(); ++at) {
      widths[at] = std::max(widths[at], display_width(row[at]));
    }
  }
  std::string out = "\n";
  for (const Cells& row : table) {
    std::string line;
    for (std::size_t at = 0; at < row.size(); ++at) {
      const std::string room(widths[at] - display_width(row[at]), ' ');
      line += "  " + (is_number(at) ? room + row[at] : row[at] + room);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += (&row == &table[0] ? painted(line, Ink::dim, style) : line) + '\n';
  }
  return out;
}

}  // namespace mazurka::report
