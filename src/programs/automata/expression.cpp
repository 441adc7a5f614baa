#include "programs/automata/expression.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <limits>

namespace mazurka::automata {

namespace {

constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();

std::int64_t clamped(std::int64_t value) {
  return value > most ? most : value < -most ? -most : value;
}

std::int64_t apply(Term::Operator kind, std::int64_t left, std::int64_t right) {
  using enum Term::Operator;
  switch (kind) {
    case add: return clamped(left + right);
    case subtract: return clamped(left - right);
    case multiply: return clamped(left * right);
    case divide:
    case modulo:
      if (right == 0) throw ExpressionError("division by zero");
      return kind == divide ? left / right : left % right;
    default: return 0;
  }
}

class Parser {
 public:
  Parser(std::string_view text, const VariableLookup& known) : text_(text), known_(known) {}

  std::vector<Condition> guard() {
    std::vector<Condition> result;
    do {
      result.push_back(condition());
    } while (accept("&&"));
    expect_end("'&&' or the end of the guard");
    return result;
  }

  std::vector<Assignment> assignments() {
    std::vector<Assignment> result;
    while (!at_end()) {
      const std::string_view name = identifier();
      if (name == "nop") {
        accept(";");
        continue;
      }
      Assignment assignment{variable(name), {}};
      if (text_.substr(at_).starts_with("==") || !accept("=")) expected("'='");
      sum(assignment.value, 0);
      result.push_back(std::move(assignment));
      if (!accept(";")) expect_end("';' or the end of the statement");
    }
    return result;
  }

 private:
  static constexpr int deepest = 100;

  [[noreturn]] void expected(const std::string& what) {
    skip_blanks();
    constexpr std::size_t most_shown = 20;
    const std::string_view rest = text_.substr(at_, most_shown);
    throw ExpressionError("expected " + what + " but found " +
                          (rest.empty() ? "the end" : "'" + std::string(rest) + "'"));
  }
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool at_end() {
    skip_blanks();
    return at_ == text_.size();
  }
  void expect_end(const std::string& what) {
    if (!at_end()) expected(what);
  }
  bool accept(std::string_view sign) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }
  static bool in_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  }
  std::string_view identifier() {
    skip_blanks();
    const std::size_t first = at_;
    while (at_ < text_.size() && in_name(text_[at_])) ++at_;
    if (at_ < text_.size() && text_[at_] == '[' && at_ > first) {
      while (at_ < text_.size() && text_[at_] != ']') ++at_;
      if (at_ == text_.size()) expected("']'");
      ++at_;
    }
    if (at_ == first) expected("a variable");
    return text_.substr(first, at_ - first);
  }
  std::uint32_t variable(std::string_view name) {
    if (const auto number = known_(name)) return *number;
    throw ExpressionError("'" + std::string(name.substr(0, 40)) +
                          "' is no variable; declare it with int:1:MIN:MAX:INITIAL:NAME");
  }

  Condition condition() {
    static constexpr std::array<std::pair<std::string_view, Condition::Sign>, 6> signs{{
        {"==", Condition::Sign::equal},
        {"!=", Condition::Sign::unequal},
        {"<=", Condition::Sign::at_most},
        {">=", Condition::Sign::at_least},
        {"<", Condition::Sign::less},
        {">", Condition::Sign::greater},
    }};
    Condition result;
    sum(result.left, 0);
    for (const auto& [text, sign] : signs) {
      if (!accept(text)) continue;
      result.sign = sign;
      sum(result.right, 0);
      return result;
    }
    expected("a comparison (== != < <= > >=)");
  }

  void sum(Term& out, int depth) {
    product(out, depth);
    while (true) {
      skip_blanks();
      if (text_.substr(at_).starts_with("-") || text_.substr(at_).starts_with("+")) {
        const bool plus = text_[at_++] == '+';
        product(out, depth);
        out.push({plus ? Term::Operator::add : Term::Operator::subtract, 0});
      } else {
        return;
      }
    }
  }

  void product(Term& out, int depth) {
    factor(out, depth);
    while (true) {
      const auto kind = accept("*")   ? Term::Operator::multiply
                        : accept("/") ? Term::Operator::divide
                        : accept("%") ? Term::Operator::modulo
                                      : Term::Operator::constant;
      if (kind == Term::Operator::constant) return;
      factor(out, depth);
      out.push({kind, 0});
    }
  }

  void factor(Term& out, int depth) {
    if (depth > deepest) throw ExpressionError("the expression is nested too deeply");
    if (accept("(")) {
      sum(out, depth + 1);
      if (!accept(")")) expected("')'");
      return;
    }
    if (accept("-")) {
      factor(out, depth + 1);
      out.push({Term::Operator::negate, 0});
      return;
    }
    skip_blanks();
    if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
      std::int32_t value = 0;
      const auto [end, error] =
          std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
      if (error != std::errc{}) expected("a number below 2147483648");
      at_ = static_cast<std::size_t>(end - text_.data());
      out.push({Term::Operator::constant, value});
      return;
    }
    if (at_ == text_.size() || !in_name(text_[at_])) expected("a number or a variable");
    out.push({Term::Operator::variable, variable(identifier())});
  }

  std::string_view text_;
  const VariableLookup& known_;
  std::size_t at_ = 0;
};

}  // namespace

std::int64_t Term::evaluate(const std::vector<std::int64_t>& values) const {
  std::vector<std::int64_t> stack;
  for (const Item& item : items_) {
    switch (item.kind) {
      case Operator::constant: stack.push_back(item.value); break;
      case Operator::variable: stack.push_back(values[static_cast<std::size_t>(item.value)]); break;
      case Operator::negate: stack.back() = -stack.back(); break;
      default: {
        const std::int64_t right = stack.back();
        stack.pop_back();
        stack.back() = apply(item.kind, stack.back(), right);
      }
    }
  }
  return stack.back();
}

void Term::add_variables(std::vector<std::uint32_t>& out) const {
  for (const Item& item : items_) {
    if (item.kind == Operator::variable) out.push_back(static_cast<std::uint32_t>(item.value));
  }
}

bool Condition::holds(const std::vector<std::int64_t>& values) const {
  const std::int64_t one = left.evaluate(values);
  const std::int64_t other = right.evaluate(values);
  switch (sign) {
    case Sign::equal: return one == other;
    case Sign::unequal: return one != other;
    case Sign::less: return one < other;
    case Sign::at_most: return one <= other;
    case Sign::greater: return one > other;
    case Sign::at_least: return one >= other;
  }
  return false;
}

std::vector<Condition> parse_guard(std::string_view text, const VariableLookup& known) {
  return Parser(text, known).guard();
}

std::vector<Assignment> parse_assignments(std::string_view text, const VariableLookup& known) {
  return Parser(text, known).assignments();
}

}  // namespace mazurka::automata
