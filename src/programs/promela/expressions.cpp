#include "programs/promela/expressions.hpp"

#include <array>

#include "programs/promela/arithmetic.hpp"

namespace mazurka::promela {

namespace {

struct BinaryOperator {
  std::string_view symbol;
  Operator kind;
};

constexpr std::array<std::array<BinaryOperator, 4>, 10> precedence = {{
    {{{"||", Operator::logical_or}}},
    {{{"&&", Operator::logical_and}}},
    {{{"|", Operator::bit_or}}},
    {{{"^", Operator::bit_xor}}},
    {{{"&", Operator::bit_and}}},
    {{{"==", Operator::equal}, {"!=", Operator::unequal}}},
    {{{"<", Operator::less},
      {"<=", Operator::at_most},
      {">", Operator::greater},
      {">=", Operator::at_least}}},
    {{{"<<", Operator::shift_left}, {">>", Operator::shift_right}}},
    {{{"+", Operator::add}, {"-", Operator::subtract}}},
    {{{"*", Operator::multiply}, {"/", Operator::divide}, {"%", Operator::modulo}}},
}};

constexpr std::size_t deepest_nesting = 500;
constexpr std::size_t longest_chain = 2'000;  // a + b + c + ...

}  // namespace

void refuse_unsupported(const TokenStream& tokens) {
  static constexpr std::array<std::string_view, 24> words = {
      "ltl",          "never",        "trace",    "notrace", "c_code",     "c_decl",
      "c_expr",       "c_state",      "c_track",  "unless",  "priority",   "D_proctype",
      "hidden",       "enabled",      "pc_value", "np_",     "_last",      "_priority",
      "get_priority", "set_priority", "return",   "STDIN",   "accept_all", "nr_pr"};
  const Token& token = tokens.peek();
  if (token.kind != TokenKind::name) return;
  for (const std::string_view word : words) {
    if (token.text == word) tokens.fail("'" + token.text + "' is not supported");
  }
}

ExpressionId ExpressionReader::add(const Expression& expression) {
  model_.expressions.push_back(expression);
  return static_cast<ExpressionId>(model_.expressions.size() - 1);
}

ExpressionId ExpressionReader::constant(std::int32_t value) {
  Expression expression;
  expression.kind = Operator::constant;
  expression.value = value;
  expression.place = tokens_.peek().place;
  return add(expression);
}

ReferenceId ExpressionReader::add(const Reference& reference) {
  model_.references.push_back(reference);
  return static_cast<ReferenceId>(model_.references.size() - 1);
}

ExpressionId ExpressionReader::value_of(ReferenceId reference) {
  Expression expression;
  expression.kind = Operator::variable;
  expression.value = static_cast<std::int32_t>(reference);
  expression.place = model_.references[reference].place;
  return add(expression);
}

std::int32_t ExpressionReader::read_constant() {
  const Place place = tokens_.peek().place;
  const std::optional<std::int32_t> value = constant_value(model_, read());
  if (!value) tokens_.fail(place, "expected a number that is known before the program runs");
  return *value;
}

ExpressionId ExpressionReader::binary(std::size_t level) {
  if (level == precedence.size()) return unary();
  ExpressionId left = binary(level + 1);
  for (std::size_t operands = 1;; ++operands) {
    if (operands > longest_chain) tokens_.fail("the expression is too long");
    const BinaryOperator* found = nullptr;
    for (const BinaryOperator& one : precedence[level]) {
      if (!one.symbol.empty() && tokens_.is(one.symbol)) found = &one;
    }
    if (found == nullptr) return left;
    Expression expression;
    expression.kind = found->kind;
    expression.place = tokens_.next().place;
    expression.first = left;
    expression.second = binary(level + 1);
    left = add(expression);
  }
}

ExpressionId ExpressionReader::unary() {
  if (++depth_ > deepest_nesting) tokens_.fail("the expression is nested too deeply");
  Expression expression;
  expression.place = tokens_.peek().place;
  if (tokens_.accept("!")) {
    expression.kind = Operator::logical_not;
  } else if (tokens_.accept("-")) {
    expression.kind = Operator::minus;
  } else if (tokens_.accept("~")) {
    expression.kind = Operator::complement;
  } else {
    const ExpressionId inner = primary();
    --depth_;
    return inner;
  }
  expression.first = unary();
  --depth_;
  return add(expression);
}

ExpressionId ExpressionReader::primary() {
  refuse_unsupported(tokens_);
  const Token token = tokens_.peek();
  if (token.kind == TokenKind::number) {
    tokens_.next();
    return constant(token.value);
  }
  if (tokens_.is("(")) return in_parentheses();
  if (token.kind == TokenKind::name) return named();
  tokens_.fail("expected an expression instead of " + tokens_.shown());
}

ExpressionId ExpressionReader::in_parentheses() {
  tokens_.expect("(");
  ExpressionId inner = read();
  if (tokens_.is("->")) {
    Expression expression;
    expression.kind = Operator::conditional;
    expression.place = tokens_.next().place;
    expression.first = inner;
    expression.second = read();
    tokens_.expect(":");
    expression.third = read();
    inner = add(expression);
  }
  tokens_.expect(")");
  return inner;
}

ExpressionId ExpressionReader::about_channel(Operator kind) {
  Expression expression;
  expression.kind = kind;
  expression.place = tokens_.next().place;
  tokens_.expect("(");
  expression.first = value_of(read_variable());
  tokens_.expect(")");
  return add(expression);
}

ExpressionId ExpressionReader::named() {
  const Token token = tokens_.peek();
  const auto simple = [&](Operator kind, std::int32_t value) {
    Expression expression;
    expression.kind = kind;
    expression.value = value;
    expression.place = tokens_.next().place;
    return add(expression);
  };
  if (token.text == "true" || token.text == "skip") return simple(Operator::constant, 1);
  if (token.text == "false") return simple(Operator::constant, 0);
  if (token.text == "_pid") return simple(Operator::own_pid, 0);
  if (token.text == "_nr_pr") return simple(Operator::process_count, 0);
  if (token.text == "timeout") {
    model_.has_timeout = true;
    return simple(Operator::timeout, 0);
  }
  if (token.text == "len") return about_channel(Operator::length);
  if (token.text == "full") return about_channel(Operator::full);
  if (token.text == "empty") return about_channel(Operator::empty);
  if (token.text == "nfull") return about_channel(Operator::not_full);
  if (token.text == "nempty") return about_channel(Operator::not_empty);
  if (token.text == "run") {
    tokens_.fail("'run' inside of an expression is not supported: use it alone, or as x = run P()");
  }
  if (names_.find(token.text) == nullptr) {
    const auto known = names_.constants.find(token.text);
    if (known != names_.constants.end()) return simple(Operator::constant, known->second);
  }
  const ReferenceId reference = read_variable();
  const bool anywhere = tokens_.is("??");
  if ((!anywhere && !tokens_.is("?")) || !tokens_.is("[", 1)) return value_of(reference);
  tokens_.next();
  tokens_.next();
  Expression expression;
  expression.kind = Operator::poll;
  expression.place = token.place;
  expression.value = static_cast<std::int32_t>(read_receive(value_of(reference), anywhere, "]"));
  return add(expression);
}

// --- variables

void ExpressionReader::read_index(const Variable& variable, Reference& reference) {
  if (tokens_.is("[")) {
    if (!variable.is_array) tokens_.fail(variable.name + " is not an array");
    tokens_.next();
    Reference::Index index;
    index.at = read();
    index.count = variable.count;
    index.stride = names_.size_of_one(variable);
    tokens_.expect("]");
    const std::optional<std::int32_t> known = constant_value(model_, index.at);
    if (known && *known >= 0 && static_cast<std::uint32_t>(*known) < variable.count) {
      reference.offset += static_cast<std::uint32_t>(*known) * index.stride;
    } else {
      reference.indices.push_back(index);
    }
  } else if (variable.is_array) {
    tokens_.fail("the index of array " + variable.name + " is missing");
  }
}

std::vector<ReferenceId> ExpressionReader::read_references() {
  const std::size_t begin = tokens_.position();
  Reference reference;
  reference.place = tokens_.peek().place;
  const std::string name = tokens_.expect_name("a variable");
  if (tokens_.is("@") || (tokens_.is("[") && names_.find(name) == nullptr)) {
    tokens_.fail(reference.place,
                 "a reference to another process ('" + name + "') is not supported");
  }
  const Variable* found = names_.find(name);
  if (found == nullptr) tokens_.fail(reference.place, "'" + name + "' is not declared");
  Variable variable = *found;
  reference.local = variable.local;
  reference.offset = variable.offset;
  read_index(variable, reference);
  while (tokens_.accept(".")) {
    if (variable.type.base != BaseType::structure) tokens_.fail(variable.name + " has no fields");
    const Structure& structure = names_.structures[variable.type.structure];
    const std::string field = tokens_.expect_name("a field");
    const Field* chosen = nullptr;
    for (const Field& one : structure.fields) {
      if (one.variable.name == field) chosen = &one;
    }
    if (chosen == nullptr) tokens_.fail(structure.name + " has no field '" + field + "'");
    variable = chosen->variable;
    reference.offset += variable.offset;
    read_index(variable, reference);
  }
  reference.name = tokens_.text_since(begin);
  if (variable.type.base == BaseType::structure) {
    std::vector<ReferenceId> fields;
    expand(reference, names_.structures[variable.type.structure], fields);
    return fields;
  }
  reference.cell = cell_of(variable.type, variable.is_array);
  return {add(reference)};
}

void ExpressionReader::expand(const Reference& base, const Structure& structure,
                              std::vector<ReferenceId>& out) {
  for (const Field& field : structure.fields) {
    const Variable& variable = field.variable;
    for (std::uint32_t at = 0; at < variable.count; ++at) {
      Reference one = base;
      one.offset += variable.offset + at * names_.size_of_one(variable);
      one.name += "." + variable.name;
      if (variable.is_array) one.name += "[" + std::to_string(at) + "]";
      if (variable.type.base == BaseType::structure) {
        expand(one, names_.structures[variable.type.structure], out);
      } else {
        one.cell = cell_of(variable.type, variable.is_array);
        out.push_back(add(one));
      }
    }
  }
}

ReferenceId ExpressionReader::simple_reference(const Variable& variable) {
  Reference reference;
  reference.place = tokens_.peek().place;
  reference.local = variable.local;
  reference.offset = variable.offset;
  reference.cell = cell_of(variable.type, variable.is_array);
  reference.name = variable.name;
  return add(reference);
}

ReferenceId ExpressionReader::read_variable() {
  const Place place = tokens_.peek().place;
  const std::size_t begin = tokens_.position();
  const std::vector<ReferenceId> all = read_references();
  if (all.size() != 1) {
    tokens_.fail(place, "'" + tokens_.text_since(begin) +
                            "' is a structure, which only messages can have as a whole");
  }
  return all.front();
}

// --- messages

std::vector<ExpressionId> ExpressionReader::read_arguments(std::string_view close) {
  std::vector<ExpressionId> arguments;
  while (close.empty() || !tokens_.is(close)) {
    const Variable* variable =
        tokens_.peek().kind == TokenKind::name ? names_.find(tokens_.peek().text) : nullptr;
    if (variable != nullptr && variable->type.base == BaseType::structure) {
      const std::size_t begin = tokens_.position();
      const std::vector<ReferenceId> all = read_references();
      if (all.size() > 1) {
        for (const ReferenceId one : all) arguments.push_back(value_of(one));
      } else {
        tokens_.go_back(begin);
        arguments.push_back(read());
      }
    } else {
      arguments.push_back(read());
    }
    if (tokens_.is("(")) {  // q!type(value) is q!type,value
      tokens_.next();
      const std::vector<ExpressionId> rest = read_arguments(")");
      arguments.insert(arguments.end(), rest.begin(), rest.end());
      tokens_.expect(")");
    }
    if (!tokens_.accept(",")) break;
  }
  return arguments;
}

void ExpressionReader::read_pattern(std::vector<Pattern>& out) {
  const Token token = tokens_.peek();
  if (token.kind == TokenKind::number || tokens_.is("-")) {
    out.push_back({Pattern::Kind::match, unary(), none});
  } else if (tokens_.accept("eval")) {
    tokens_.expect("(");
    out.push_back({Pattern::Kind::match, read(), none});
    tokens_.expect(")");
  } else if (tokens_.accept("_")) {
    out.push_back({Pattern::Kind::ignore, none, none});
  } else if (names_.find(token.text) == nullptr &&
             (names_.constants.contains(token.text) || token.text == "true" ||
              token.text == "false")) {
    out.push_back({Pattern::Kind::match, primary(), none});
  } else {
    for (const ReferenceId one : read_references()) {
      out.push_back({Pattern::Kind::store, none, one});
    }
  }
}

std::vector<Pattern> ExpressionReader::read_patterns(std::string_view close) {
  std::vector<Pattern> patterns;
  const bool wrapped = tokens_.accept("(");
  do {
    read_pattern(patterns);
    if (tokens_.accept("(")) {
      const std::vector<Pattern> rest = read_patterns(")");
      patterns.insert(patterns.end(), rest.begin(), rest.end());
      tokens_.expect(")");
    }
  } while (tokens_.accept(","));
  if (wrapped) tokens_.expect(")");
  if (!close.empty() && !tokens_.is(close)) {
    tokens_.fail("expected '" + std::string(close) + "' instead of " + tokens_.shown());
  }
  return patterns;
}

ReceiveId ExpressionReader::read_receive(ExpressionId channel, bool anywhere,
                                         std::string_view close) {
  Receive receive;
  receive.channel = channel;
  receive.anywhere = anywhere;
  receive.keep = close == ">";
  receive.patterns = read_patterns(close);
  if (!close.empty()) tokens_.expect(close);
  model_.receives.push_back(receive);
  return static_cast<ReceiveId>(model_.receives.size() - 1);
}

}  // namespace mazurka::promela
