#include "report/executions.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "core/check.hpp"
#include "report/model/execution_list.hpp"
#include "report/printable.hpp"

namespace mazurka::report {

namespace {

constexpr std::size_t most_numbers = 12;  // of executions, in a line

std::string plural(std::size_t number, std::string_view what) {
  return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
}

/// Empty: there is one.
std::string why_no_list(const Outcome& outcome) {
  if (outcome.verdict == Verdict::error) return outcome.reason;
  if (outcome.tree.empty()) {
    return fmt::format(
        "The search told of no executions: the technique {} stores states, or several processes "
        "explored. Use --technique optimal, without --jobs.",
        outcome.technique);
  }
  if (outcome.tree.whole) return {};
  return fmt::format(
      "There are too many executions to be listed ({}, of more than 4000 steps that differ). Make "
      "the program smaller, or stop earlier with --max-executions.",
      outcome.tree.nodes.front().executions);
}

std::string numbers_text(const std::vector<std::uint64_t>& numbers) {
  const std::size_t shown = std::min(numbers.size(), most_numbers);
  std::string text = fmt::format(
      "{}", fmt::join(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < numbers.size()) text += fmt::format(", ... ({} in all)", numbers.size());
  return text;
}

std::string end_text(TreeEnd end, const std::string& state, bool is_known) {
  std::string text = state;
  if (text.empty()) text = is_known ? "no shared variables" : "the search was interrupted";
  if (!is_known) text = "not looked at: " + text;
  return end == TreeEnd::complete ? text : fmt::format("{} ({})", text, name(end));
}

std::string execution_text(const ExplorationTree& tree, const ListedExecution& execution) {
  MAZURKA_CHECK(execution.leaf < tree.nodes.size() &&
                    (execution.steps.empty() || execution.steps.back() == execution.leaf),
                "an execution leads to its leaf");
  const TreeNode& leaf = tree.nodes[execution.leaf];
  std::size_t width = 0;
  for (const std::uint32_t at : execution.steps) {
    width = std::max(width, tree.processes[tree.nodes[at].step.process].size());
  }
  std::string text = fmt::format("\nExecution {}\n", execution.number);
  for (const std::uint32_t at : execution.steps) {
    const TreeStep& step = tree.nodes[at].step;
    text += fmt::format("  {:{}}  {}{}\n", tree.processes[step.process], width, step.action,
                        step.place.empty() ? "" : "  " + step.place);
  }
  return text + fmt::format("  => {}\n", end_text(leaf.end, leaf.state, leaf.state_known));
}

std::string summary(const Outcome& outcome, const ExecutionList& list) {
  std::string text =
      fmt::format("{}: {}, {}", outcome.program, plural(list.executions.size(), "execution"),
                  plural(list.final_states.size(), "final state"));
  if (list.given_up > 0) {
    text += fmt::format(" ({} more begun and given up: what would follow is explored elsewhere)",
                        list.given_up);
  }
  text += '\n';
  if (outcome.verdict == Verdict::inconclusive) text += outcome.reason + '\n';
  if (outcome.verdict == Verdict::finding) {
    text += "Without --keep-going a search ends with its first finding, and so does this list.\n";
  }
  return text;
}

}  // namespace

std::string executions(const Outcome& unsafe) {
  const Outcome outcome = printable_outcome(unsafe);
  if (const std::string why = why_no_list(outcome); !why.empty()) {
    return outcome.program + ": " + why + '\n';
  }
  const ExecutionList list = listed(outcome.tree);
  std::string text = summary(outcome, list) + "\nFinal states\n";
  for (const FinalState& one : list.final_states) {
    text += fmt::format("  {}: {}\n", end_text(one.end, one.state, one.state_known),
                        numbers_text(one.executions));
  }
  for (const ListedExecution& one : list.executions) text += execution_text(outcome.tree, one);
  return text;
}

Json executions_json(const ExplorationTree& tree) {
  if (tree.empty() || !tree.whole) return nullptr;
  const ExecutionList list = listed(tree);
  Json all = Json::array();
  for (const ListedExecution& one : list.executions) {
    const TreeNode& leaf = tree.nodes[one.leaf];
    Json steps = Json::array();
    for (const std::uint32_t at : one.steps) {
      const TreeStep& step = tree.nodes[at].step;
      steps.push_back({{"process", tree.processes[step.process]},
                       {"action", step.action},
                       {"place", step.place}});
    }
    all.push_back({{"number", one.number},
                   {"end", name(leaf.end)},
                   {"state", leaf.state_known ? Json(leaf.state) : Json(nullptr)},
                   {"finding", leaf.finding ? Json(*leaf.finding) : Json(nullptr)},
                   {"steps", steps}});
  }
  Json states = Json::array();
  for (const FinalState& one : list.final_states) {
    states.push_back({{"state", one.state_known ? Json(one.state) : Json(nullptr)},
                      {"end", name(one.end)},
                      {"executions", one.executions}});
  }
  return {{"executions", all}, {"final_states", states}, {"given_up", list.given_up}};
}

}  // namespace mazurka::report
