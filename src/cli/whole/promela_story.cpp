#include "cli/whole/promela_story.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/check.hpp"

namespace mazurka::cli {

namespace {

using promela::Act;
using promela::Model;
using promela::Problem;
using promela::Statement;
using promela::Taken;

class PromelaTeller {
 public:
  explicit PromelaTeller(const Model& model) : model_(model) {}

  Story tell(const Problem& problem) {
    arrange_columns(problem);
    for (const Taken& taken : problem.path) add_row(taken);
    if (!story_.rows.empty()) story_.rows.back().failing = true;
    if (problem.kind == Problem::Kind::assertion) {
      story_.place = model_.where(problem.place);
    } else {
      tell_waiting(problem);
    }
    return std::move(story_);
  }

 private:
  /// In the order of the processes' numbers.
  void arrange_columns(const Problem& problem) {
    std::set<std::pair<std::uint32_t, std::uint8_t>> all;
    for (const Taken& taken : problem.path) all.emplace(taken.process, taken.proctype);
    for (const auto& [process, proctype] : all) column_of(process, proctype);
  }

  std::size_t column_of(std::uint32_t process, std::uint8_t proctype) {
    const auto [found, fresh] = columns_.emplace(std::pair(process, proctype), columns_.size());
    MAZURKA_CHECK(fresh || found->second < story_.processes.size(), "a process has one column");
    if (fresh) story_.processes.push_back(name_of(process, proctype));
    return found->second;
  }
  [[nodiscard]] std::string name_of(std::uint32_t process, std::uint8_t proctype) const {
    return model_.proctypes[proctype].name + " " + std::to_string(process);
  }

  void add_row(const Taken& taken) {
    MAZURKA_CHECK(
        taken.statement < model_.statements.size() && taken.proctype < model_.proctypes.size(),
        "a step is one of the model's");
    const Statement& statement = model_.statements[taken.statement];
    StoryRow row;
    row.process = column_of(taken.process, taken.proctype);
    row.action = statement.text + values_of(statement, taken);
    row.place = model_.where(statement.place);
    row.decision = true;
    story_.rows.push_back(std::move(row));
  }

  /// What the text does not say: "x = x + 1 (3)".
  [[nodiscard]] std::string values_of(const Statement& statement, const Taken& taken) const {
    if (taken.values.empty() || statement.act == Act::d_step) return {};
    if (statement.act == Act::assign &&
        model_.expressions[statement.expression].kind == promela::Operator::constant) {
      return {};
    }
    std::string text;
    for (const std::int32_t value : taken.values) {
      text += (text.empty() ? "" : ",") + std::to_string(value);
    }
    return " (" + text + ")";
  }

  void tell_waiting(const Problem& problem) {
    const promela::Configuration& last = problem.last;
    for (std::uint32_t process = 0; process < last.processes.size(); ++process) {
      const promela::Proctype& proctype = model_.proctypes[last.proctype(process)];
      const promela::Location& location = proctype.locations[last.location(process)];
      if (location.may_end) continue;
      std::string wanted;
      for (const promela::Transition& transition : location.transitions) {
        wanted += (wanted.empty() ? "" : " or ") + model_.statements[transition.statement].text;
      }
      StoryStop& stop = story_.stuck.emplace_back();
      stop.process = column_of(process, last.proctype(process));
      stop.reason = "waits for " + wanted;
      stop.place = model_.where(location.place);
      story_.endings.push_back(name_of(process, last.proctype(process)) + " " + stop.reason + " (" +
                               stop.place + ")");
    }
  }

  const Model& model_;
  Story story_;
  std::map<std::pair<std::uint32_t, std::uint8_t>, std::size_t> columns_;
};

}  // namespace

Story tell_promela(const Model& model, const Problem& problem) {
  return PromelaTeller(model).tell(problem);
}

}  // namespace mazurka::cli
