#include "programs/automata/effects.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/check.hpp"

namespace mazurka::automata {

namespace {

/// Sets of numbers that are joined.
class Classes {
 public:
  explicit Classes(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), std::uint32_t{0});
  }
  std::uint32_t of(std::uint32_t one) {
    while (parent_[one] != one) one = parent_[one] = parent_[parent_[one]];
    return one;
  }
  void join(std::uint32_t one, std::uint32_t other) { parent_[of(other)] = of(one); }

 private:
  std::vector<std::uint32_t> parent_;
};

template <typename Item>
std::vector<std::uint32_t> mentioned(const Item& item) {
  std::vector<std::uint32_t> variables;
  item.add_variables(variables);
  return variables;
}

}  // namespace

void Effect::add(const DeclaredEdge& edge) {
  for (const Expression& condition : edge.guard) guard_.push_back(&condition);
  for (const Statement& statement : edge.statements.list) statements_.push_back(&statement);
  locals_ = std::max(locals_, edge.statements.locals);
}

void Effect::settle() {
  const std::size_t globals = document_.variables.size();
  Classes classes(globals + locals_);
  const auto join = [&](const std::vector<std::uint32_t>& together) {
    for (const std::uint32_t one : together) classes.join(together.front(), one);
  };
  for (const Expression* condition : guard_) join(mentioned(*condition));
  for (const Statement* statement : statements_) join(mentioned(*statement));

  std::map<std::uint32_t, Group> groups;  // by class
  const auto group_of = [&](const std::vector<std::uint32_t>& variables) -> Group& {
    Group& group = groups[classes.of(variables.front())];
    for (const std::uint32_t one : variables) {
      if (one < globals) group.variables.push_back(one);
    }
    return group;
  };
  for (const Expression* condition : guard_) {
    const std::vector<std::uint32_t> variables = mentioned(*condition);
    (variables.empty() ? without_variables_ : group_of(variables).guard).push_back(condition);
  }
  for (const Statement* statement : statements_) {
    const std::vector<std::uint32_t> variables = mentioned(*statement);
    // A loop or a choice over nothing does nothing.
    if (!variables.empty()) group_of(variables).statements.push_back(statement);
  }
  MAZURKA_CHECK(groups_.empty(), "an effect is settled once");
  for (auto& [number, group] : groups) {
    std::sort(group.variables.begin(), group.variables.end());
    const auto end = std::unique(group.variables.begin(), group.variables.end());
    group.variables.erase(end, group.variables.end());
    if (!group.variables.empty()) groups_.push_back(std::move(group));
  }
  std::sort(groups_.begin(), groups_.end(),
            [](const Group& one, const Group& other) { return one.variables < other.variables; });
}

bool Effect::possible() const {
  Group constants;
  constants.guard = without_variables_;
  Values none(document_.variables.size() + locals_, 0);
  return perform(constants, none);
}

bool Effect::perform(const Group& group, Values& values) const {
  const auto fits = [&](std::uint32_t variable, std::int64_t value) {
    if (variable >= document_.variables.size()) return true;
    const DeclaredVariable& one = document_.variables[variable];
    return value >= one.lowest && value <= one.highest;
  };
  const Values before = values;
  try {
    for (const Expression* condition : group.guard) {
      if (!condition->holds(values)) return false;
    }
    return std::all_of(group.statements.begin(), group.statements.end(), [&](const Statement* one) {
      return automata::perform({*one}, values, fits);
    });
  } catch (const ExpressionError& error) {
    std::string when;
    for (const std::uint32_t variable : group.variables) {
      when += (when.empty() ? " when " : ", ") + document_.variables[variable].name + " = " +
              std::to_string(before[variable]);
    }
    fail(error.what() + when);
  }
}

bool Effect::next(const Group& group, Values& values) const {
  for (const std::uint32_t variable : group.variables) {
    if (++values[variable] <= document_.variables[variable].highest) return true;
    values[variable] = document_.variables[variable].lowest;
  }
  return false;
}

std::vector<Effect::Change> Effect::changes(const Group& group, std::size_t most) const {
  std::vector<Change> result;
  Values values(document_.variables.size() + locals_, 0);
  for (const std::uint32_t variable : group.variables) {
    values[variable] = document_.variables[variable].lowest;
  }
  MAZURKA_CHECK(!group.variables.empty(), "a group is one of variables");
  do {
    Values after = values;
    if (perform(group, after)) result.emplace_back(values, after);
    if (result.size() > most) {
      fail("an expression over several variables has too many combinations of values");
    }
  } while (next(group, values));
  return result;
}

}  // namespace mazurka::automata
