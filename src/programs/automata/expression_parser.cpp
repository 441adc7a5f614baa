// Reads guards and statements, by recursive descent.
#include <array>
#include <cctype>
#include <charconv>
#include <map>

#include "programs/automata/expression.hpp"

namespace mazurka::automata {

namespace {

using enum Expression::Operator;

class Parser {
 public:
  Parser(std::string_view text, const VariableLookup& known, std::uint32_t locals = 0)
      : text_(text), known_(known), next_local_(locals), first_local_(locals) {}

  std::vector<Expression> guard() {
    std::vector<Expression> result = conjunction(0);
    if (!at_end()) expected("'&&' or the end of the guard");
    return result;
  }

  Statements statements() {
    Statements result;
    result.list = sequence(0);
    if (!at_end()) expected("';' or the end of the statement");
    result.locals = next_local_ - first_local_;
    return result;
  }

 private:
  static constexpr int deepest = 100;
  static constexpr std::uint32_t most_locals = 1000;

  [[noreturn]] void expected(const std::string& what) {
    skip_blanks();
    constexpr std::size_t most_shown = 20;
    const std::string_view rest = text_.substr(at_, most_shown);
    throw ExpressionError("expected " + what + " but found " +
                          (rest.empty() ? "the end" : "'" + std::string(rest) + "'"));
  }
  void check_depth(int depth) const {
    if (depth > deepest) throw ExpressionError("the expression is nested too deeply");
  }
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool at_end() {
    skip_blanks();
    return at_ == text_.size();
  }
  bool accept(std::string_view sign) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }
  void expect(const std::string& sign) {
    if (!accept(sign)) expected("'" + sign + "'");
  }
  static bool in_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
  }
  std::string_view word_here() {
    skip_blanks();
    std::size_t end = at_;
    while (end < text_.size() && in_name(text_[end])) ++end;
    return text_.substr(at_, end - at_);
  }
  bool accept_word(std::string_view word) {
    if (word_here() != word) return false;
    at_ += word.size();
    return true;
  }
  void expect_word(const std::string& word) {
    if (!accept_word(word)) expected("'" + word + "'");
  }
  std::string_view identifier() {
    const std::string_view word = word_here();
    if (word.empty()) expected("a variable");
    at_ += word.size();
    return word;
  }

  // --- expressions

  std::vector<Expression> conjunction(int depth) {
    std::vector<Expression> result;
    do {
      result.push_back(atom(depth));
    } while (accept("&&"));
    return result;
  }
  /// All of them as one.
  static Expression both(std::vector<Expression> all) {
    Expression result = std::move(all.back());
    for (std::size_t at = all.size() - 1; at-- > 0;) {
      result = {conditional, 0, 1, {std::move(all[at]), std::move(result), Expression{}}};
    }
    return result;
  }

  Expression atom(int depth) {
    check_depth(depth);
    skip_blanks();
    if (text_.substr(at_).starts_with("!") && !text_.substr(at_).starts_with("!=")) {
      ++at_;
      return {negation, 0, 1, {atom(depth + 1)}};
    }
    return comparison(depth);
  }

  Expression comparison(int depth) {
    static constexpr std::array<std::pair<std::string_view, Expression::Operator>, 6> signs{{
        {"==", equal},
        {"!=", unequal},
        {"<=", at_most},
        {">=", at_least},
        {"<", less},
        {">", greater},
    }};
    Expression left = sum(depth);
    for (const auto& [text, sign] : signs) {
      if (accept(text)) return {sign, 0, 1, {std::move(left), sum(depth)}};
    }
    return left;
  }

  Expression sum(int depth) {
    Expression left = product(depth);
    while (true) {
      const auto kind = accept("+") ? add : accept("-") ? subtract : constant;
      if (kind == constant) return left;
      left = {kind, 0, 1, {std::move(left), product(depth)}};
    }
  }

  Expression product(int depth) {
    Expression left = factor(depth);
    while (true) {
      const auto kind = accept("*")   ? multiply
                        : accept("/") ? divide
                        : accept("%") ? modulo
                                      : constant;
      if (kind == constant) return left;
      left = {kind, 0, 1, {std::move(left), factor(depth)}};
    }
  }

  Expression factor(int depth) {
    check_depth(depth);
    if (accept("(")) {
      Expression inside =
          accept_word("if") ? conditional_term(depth + 1) : both(conjunction(depth + 1));
      expect(")");
      return inside;
    }
    if (accept("-")) return {negate, 0, 1, {factor(depth + 1)}};
    skip_blanks();
    if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) {
      return {constant, number(), 1, {}};
    }
    if (at_ == text_.size() || !in_name(text_[at_])) expected("a number or a variable");
    return variable(depth);
  }

  Expression conditional_term(int depth) {
    Expression condition = both(conjunction(depth));
    expect_word("then");
    Expression yes = sum(depth);
    expect_word("else");
    return {conditional, 0, 1, {std::move(condition), std::move(yes), sum(depth)}};
  }

  std::int64_t number() {
    std::int32_t value = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc{}) expected("a number below 2147483648");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }

  Expression variable(int depth) {
    const std::string_view name = identifier();
    const auto local = locals_.find(name);
    const std::optional<Row> row = local != locals_.end() ? local->second : known_(name);
    if (!row) {
      throw ExpressionError("'" + std::string(name.substr(0, 40)) +
                            "' is no variable; declare it with int:1:MIN:MAX:INITIAL:NAME");
    }
    if (!accept("[")) {
      if (row->size > 1) expected("'[': it is an array");
      return {element, row->first, 1, {}};
    }
    Expression at = sum(depth + 1);
    expect("]");
    if (at.kind == constant && at.value >= 0 &&
        at.value < row->size) {  // no need to look at the others
      return {element, row->first + at.value, 1, {}};
    }
    if (at.kind == constant) {
      throw ExpressionError("'" + std::string(name.substr(0, 40)) + "' has no element " +
                            std::to_string(at.value));
    }
    return {element, row->first, row->size, {std::move(at)}};
  }

  // --- statements

  std::vector<Statement> sequence(int depth) {
    check_depth(depth);
    std::vector<Statement> result;
    while (!at_end() && word_here() != "end" && word_here() != "else") {
      statement(result, depth);
      if (!accept(";")) break;
    }
    return result;
  }

  void statement(std::vector<Statement>& out, int depth) {
    if (accept_word("nop")) return;
    if (accept_word("local")) return declare_local(out, depth);
    if (accept_word("if")) {
      Statement one{Statement::Kind::choice, {}, both(conjunction(depth)), {}, {}};
      expect_word("then");
      one.body = sequence(depth + 1);
      if (accept_word("else")) one.other = sequence(depth + 1);
      expect_word("end");
      out.push_back(std::move(one));
      return;
    }
    if (accept_word("while")) {
      Statement one{Statement::Kind::loop, {}, both(conjunction(depth)), {}, {}};
      expect_word("do");
      one.body = sequence(depth + 1);
      expect_word("end");
      out.push_back(std::move(one));
      return;
    }
    assign(variable(depth), out, depth);
  }

  void assign(Expression target, std::vector<Statement>& out, int depth) {
    if (text_.substr(at_).starts_with("==")) expected("'='");
    expect("=");
    out.push_back({Statement::Kind::assignment, std::move(target), sum(depth), {}, {}});
  }

  // It is 0 wherever it is declared, also in the second round of a loop.
  void declare_local(std::vector<Statement>& out, int depth) {
    const std::string_view name = identifier();
    if (known_(name) || locals_.count(name) != 0) {
      throw ExpressionError("'" + std::string(name.substr(0, 40)) + "' is declared already");
    }
    Row row{next_local_, 1};
    if (accept("[")) {
      const Expression length = sum(depth);
      std::vector<std::uint32_t> variables;
      length.add_variables(variables);
      const std::int64_t size = variables.empty() ? length.evaluate({}) : 0;
      if (size < 1 || size > most_locals) {
        throw ExpressionError("the size of a local array must be a number from 1 to " +
                              std::to_string(most_locals));
      }
      row.size = static_cast<std::uint32_t>(size);
      expect("]");
    }
    next_local_ += row.size;
    if (next_local_ - first_local_ > most_locals) throw ExpressionError("too many local variables");
    for (std::uint32_t at = 0; at < row.size; ++at) {
      out.push_back({Statement::Kind::assignment, {element, row.first + at, 1, {}}, {}, {}, {}});
    }
    if (row.size == 1 && accept("=")) out.back().value = sum(depth);
    locals_.emplace(name, row);
  }

  std::string_view text_;
  const VariableLookup& known_;
  std::size_t at_ = 0;
  std::map<std::string_view, Row> locals_;
  std::uint32_t next_local_;
  std::uint32_t first_local_;
};

}  // namespace

std::vector<Expression> parse_guard(std::string_view text, const VariableLookup& known) {
  return Parser(text, known).guard();
}

Statements parse_statements(std::string_view text, const VariableLookup& known,
                            std::uint32_t locals) {
  return Parser(text, known, locals).statements();
}

}  // namespace mazurka::automata
