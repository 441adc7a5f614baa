#include "report/repair.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace mazurka::report {

namespace {

std::string effort(const Repair& repair) {
  return fmt::format("{} checked, {:.2f} s", counted(repair.candidates, "candidate"),
                     repair.seconds);
}

std::string_view what_holds(RepairResult result) {
  if (result == RepairResult::bounded) return "there is no finding within the bound";
  return result == RepairResult::sequential ? "the program is VERIFIED under sequential consistency"
                                            : "the program is VERIFIED";
}

std::string how_small(const Repair& repair) {
  if (!repair.minimal) {
    return fmt::format("; whether less would do is not known ({})", repair.reason);
  }
  return repair.changes.size() == 1 ? "; nothing weaker does"
                                    : "; none of them can be weaker or be left out";
}

}  // namespace

std::string repair_sentence(const Repair& repair) {
  switch (repair.result) {
    case RepairResult::not_asked: return {};
    case RepairResult::verified:
    case RepairResult::sequential:
    case RepairResult::bounded:
      return fmt::format("with {} {} ({}){}",
                         repair.changes.size() == 1 ? "this order" : "these orders",
                         what_holds(repair.result), effort(repair), how_small(repair));
    case RepairResult::none:
      return fmt::format("no memory orders exclude this: {} ({})", repair.reason, effort(repair));
    case RepairResult::unknown: break;
  }
  return fmt::format("not known: {} ({})", repair.reason, effort(repair));
}

std::string repair_text(const Repair& repair, const Style& style) {
  if (repair.result == RepairResult::not_asked) return {};
  std::string out = "\n";
  std::string indent;
  for (const std::string& line : wrapped("Repair: " + repair_sentence(repair), style.width - 4)) {
    out += indent + painted(line, Ink::bold, style) + '\n';
    indent = "  ";
  }
  std::size_t widest = 0;
  std::vector<std::string> lines;
  for (const Repair::Change& one : repair.changes) {
    lines.push_back(fmt::format("{}: {} {} -> {}", one.place, one.operation, one.from, one.to));
    widest = std::max(widest, display_width(lines.back()));
  }
  for (std::size_t at = 0; at < lines.size(); ++at) {
    constexpr std::size_t least = 20;
    const std::size_t used = widest + 4;
    std::string line = "  " + lines[at];
    if (style.width > used + least && !repair.changes[at].source.empty()) {
      line =
          "  " + padded(lines[at], widest) + "  " +
          painted(cut_end(repair.changes[at].source, style.width - used, style), Ink::dim, style);
    }
    out += line + '\n';
  }
  return out;
}

Json repair_json(const Repair& repair) {
  if (repair.result == RepairResult::not_asked) return nullptr;
  Json changes = Json::array();
  for (const Repair::Change& one : repair.changes) {
    changes.push_back({{"place", one.place},
                       {"column", one.column},
                       {"operation", one.operation},
                       {"from", one.from},
                       {"to", one.to},
                       {"source", one.source}});
  }
  return {{"result", name(repair.result)},
          {"in_words", repair_sentence(repair)},
          {"changes", changes},
          {"minimal", repair.minimal},
          {"reason", repair.reason},
          {"candidates", repair.candidates},
          {"seconds", repair.seconds}};
}

}  // namespace mazurka::report
