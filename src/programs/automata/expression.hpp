// Guards and assignments over bounded integer variables.
//
//   provided: x < 3 && y == x + 1        a conjunction of comparisons
//   do: x = x + 1; y = 0                 assignments, performed in order
//
// Variables are known by number; which names there are is the caller's business.
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

/// An arithmetic term in postfix order.
class Term {
 public:
  enum class Operator : std::uint8_t {
    constant,
    variable,
    negate,
    add,
    subtract,
    multiply,
    divide,
    modulo
  };
  struct Item {
    Operator kind{};
    std::int64_t value = 0;  // of a constant, or the number of a variable
  };
  void push(Item item) { items_.push_back(item); }
  /// Throws ExpressionError for a division by zero. Saturates instead of overflowing.
  [[nodiscard]] std::int64_t evaluate(const std::vector<std::int64_t>& values) const;
  void add_variables(std::vector<std::uint32_t>& out) const;

 private:
  std::vector<Item> items_;
};

struct Condition {
  enum class Sign : std::uint8_t { equal, unequal, less, at_most, greater, at_least };
  Term left;
  Sign sign{};
  Term right;
  [[nodiscard]] bool holds(const std::vector<std::int64_t>& values) const;
};

struct Assignment {
  std::uint32_t variable = 0;
  Term value;
};

/// The number of a variable, or nothing.
using VariableLookup = std::function<std::optional<std::uint32_t>(std::string_view)>;

[[nodiscard]] std::vector<Condition> parse_guard(std::string_view text,
                                                 const VariableLookup& known);
[[nodiscard]] std::vector<Assignment> parse_assignments(std::string_view text,
                                                        const VariableLookup& known);

}  // namespace mazurka::automata
