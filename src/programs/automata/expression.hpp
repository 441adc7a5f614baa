// Guards and statements over bounded integer variables.
//
//   provided: x < 3 && !(y == a[x] + 1)               a conjunction; a number counts as true unless
//   0 do: x = x + 1; if x > 2 then x = 0 else nop end   performed in order; also while, local, nop
//
// Variables are known by number; which names there are is the caller's business. An array is a row
// of variables with consecutive numbers. What a statement declares as local gets numbers behind all
// others.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace mazurka::automata {

/// What is wrong with an expression; the caller knows the line.
class ExpressionError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using Values = std::vector<std::int64_t>;  // by the variables' numbers

struct Expression {
  enum class Operator : std::uint8_t {
    constant,
    element,  // of the row that begins with variable `value`: parts[0], or the only one
    negate,
    add,
    subtract,
    multiply,
    divide,
    modulo,
    equal,
    unequal,
    less,
    at_most,
    greater,
    at_least,
    negation,     // !
    conditional,  // if, then, else
  };
  Operator kind{};
  std::int64_t value = 0;  // of a constant, or the number of a variable
  std::uint32_t size = 1;  // of the row
  std::vector<Expression> parts;

  /// Throws ExpressionError for a division by zero and an element that is not there. Saturates
  /// instead of overflowing.
  [[nodiscard]] std::int64_t evaluate(const Values& values) const;
  [[nodiscard]] bool holds(const Values& values) const { return evaluate(values) != 0; }
  /// The number of the variable that an element is.
  [[nodiscard]] std::uint32_t place(const Values& values) const;
  void add_variables(std::vector<std::uint32_t>& out) const;
};

struct Statement {
  enum class Kind : std::uint8_t { assignment, choice, loop };
  Kind kind{};
  Expression target;             // of an assignment
  Expression value;              // what is assigned; the condition of the others
  std::vector<Statement> body;   // then, do
  std::vector<Statement> other;  // else

  void add_variables(std::vector<std::uint32_t>& out) const;
};

/// Performs them; false: a value is assigned that `fits` does not allow.
using Fits = std::function<bool(std::uint32_t variable, std::int64_t value)>;
[[nodiscard]] bool perform(const std::vector<Statement>& statements, Values& values,
                           const Fits& fits);

struct Row {
  std::uint32_t first = 0;
  std::uint32_t size = 1;
};
/// The variable or array of this name, or nothing.
using VariableLookup = std::function<std::optional<Row>(std::string_view)>;

[[nodiscard]] std::vector<Expression> parse_guard(std::string_view text,
                                                  const VariableLookup& known);

struct Statements {
  std::vector<Statement> list;
  std::uint32_t locals = 0;
};
/// `locals`: the number that the first local variable gets.
[[nodiscard]] Statements parse_statements(std::string_view text, const VariableLookup& known,
                                          std::uint32_t locals);

}  // namespace mazurka::automata
