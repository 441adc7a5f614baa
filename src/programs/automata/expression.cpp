#include "programs/automata/expression.hpp"

#include <algorithm>
#include <limits>

namespace mazurka::automata {

namespace {

using enum Expression::Operator;

constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();

std::int64_t clamped(std::int64_t value) {
  return value > most ? most : value < -most ? -most : value;
}

std::int64_t apply(Expression::Operator kind, std::int64_t left, std::int64_t right) {
  switch (kind) {
    case add: return clamped(left + right);
    case subtract: return clamped(left - right);
    case multiply: return clamped(left * right);
    case divide:
    case modulo:
      if (right == 0) throw ExpressionError("division by zero");
      return kind == divide ? left / right : left % right;
    case equal: return left == right ? 1 : 0;
    case unequal: return left != right ? 1 : 0;
    case less: return left < right ? 1 : 0;
    case at_most: return left <= right ? 1 : 0;
    case greater: return left > right ? 1 : 0;
    case at_least: return left >= right ? 1 : 0;
    default: return 0;
  }
}

/// How often loops may go round before they are taken to be endless.
constexpr std::size_t most_rounds = 1'000'000;

class Performance {
 public:
  Performance(Values& values, const Fits& fits) : values_(values), fits_(fits) {}

  bool run(const std::vector<Statement>& statements) {
    return std::all_of(statements.begin(), statements.end(),
                       [&](const Statement& one) { return run(one); });
  }

 private:
  bool run(const Statement& one) {
    switch (one.kind) {
      case Statement::Kind::assignment: {
        const std::int64_t value = one.value.evaluate(values_);
        const std::uint32_t variable = one.target.place(values_);
        if (!fits_(variable, value)) return false;
        values_[variable] = value;
        return true;
      }
      case Statement::Kind::choice: return run(one.value.holds(values_) ? one.body : one.other);
      case Statement::Kind::loop:
        while (one.value.holds(values_)) {
          if (++rounds_ > most_rounds) throw ExpressionError("a while loop does not end");
          if (!run(one.body)) return false;
        }
        return true;
    }
    return false;
  }

  Values& values_;
  const Fits& fits_;
  std::size_t rounds_ = 0;
};

}  // namespace

std::int64_t Expression::evaluate(const Values& values) const {
  switch (kind) {
    case constant: return value;
    case element: return values[place(values)];
    case negate: return -parts[0].evaluate(values);
    case negation: return parts[0].holds(values) ? 0 : 1;
    case conditional: return parts[parts[0].holds(values) ? 1 : 2].evaluate(values);
    default: return apply(kind, parts[0].evaluate(values), parts[1].evaluate(values));
  }
}

std::uint32_t Expression::place(const Values& values) const {
  const auto first = static_cast<std::uint32_t>(value);
  if (parts.empty()) return first;
  const std::int64_t at = parts[0].evaluate(values);
  if (at < 0 || at >= size) {
    throw ExpressionError("element " + std::to_string(at) + " of an array of " +
                          std::to_string(size));
  }
  return first + static_cast<std::uint32_t>(at);
}

void Expression::add_variables(std::vector<std::uint32_t>& out) const {
  if (kind == element) {
    const auto first = static_cast<std::uint32_t>(value);
    for (std::uint32_t at = 0; at < (parts.empty() ? 1 : size); ++at) out.push_back(first + at);
  }
  for (const Expression& part : parts) part.add_variables(out);
}

void Statement::add_variables(std::vector<std::uint32_t>& out) const {
  if (kind == Kind::assignment) target.add_variables(out);
  value.add_variables(out);
  for (const Statement& one : body) one.add_variables(out);
  for (const Statement& one : other) one.add_variables(out);
}

bool perform(const std::vector<Statement>& statements, Values& values, const Fits& fits) {
  return Performance(values, fits).run(statements);
}

}  // namespace mazurka::automata
