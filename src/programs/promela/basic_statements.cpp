// The statements that are one step each, and calls of inlines.
#include "programs/promela/statements.hpp"

namespace mazurka::promela {

namespace {
constexpr std::uint32_t most_expansions = 100'000;
}  // namespace

ElementId StatementReader::new_element(Element::Kind kind, const Place& place) {
  Element element;
  element.kind = kind;
  element.place = place;
  body_.elements.push_back(element);
  return static_cast<ElementId>(body_.elements.size() - 1);
}

ElementId StatementReader::add_basic(Sequence& sequence, const Statement& statement) {
  all_.model.statements.push_back(statement);
  const ElementId element = new_element(Element::Kind::basic, statement.place);
  body_.elements[element].statement = static_cast<StatementId>(all_.model.statements.size() - 1);
  give_labels(element);
  append(body_, sequence, element);
  return element;
}

void StatementReader::add_assignment(Sequence& sequence, ReferenceId target, ExpressionId value,
                                     const Place& place) {
  Statement statement;
  statement.act = Act::assign;
  statement.place = place;
  statement.target = target;
  statement.expression = value;
  statement.text = all_.model.references[target].name + " = ...";
  add_basic(sequence, statement);
}

void StatementReader::add_condition(Sequence& sequence, Operator kind, ReferenceId left,
                                    ExpressionId right, const Place& place) {
  Expression comparison;
  comparison.kind = kind;
  comparison.place = place;
  comparison.first = all_.expressions.value_of(left);
  comparison.second = right;
  Statement statement;
  statement.act = Act::condition;
  statement.place = place;
  statement.expression = all_.expressions.add(comparison);
  statement.text = all_.model.references[left].name +
                   (kind == Operator::less ? " is not the last" : " is not beyond the last");
  add_basic(sequence, statement);
}

/// The body of the inline, with arguments for parameters, takes the place of the call.
void StatementReader::read_inline(Sequence& sequence) {
  const std::size_t begin = tokens_.position();
  const Token call = tokens_.next();
  const Inline& inlined = all_.inlines.at(call.text);
  if (++all_.expansions > most_expansions) {
    tokens_.fail(call.place, "the inline " + call.text + " expands without end");
  }
  tokens_.expect("(");
  std::vector<std::vector<Token>> arguments;
  for (std::size_t depth = 0; depth > 0 || !tokens_.is(")");) {
    if (tokens_.peek().kind == TokenKind::end) tokens_.fail(call.place, "a ')' is missing");
    if (depth == 0 && tokens_.accept(",")) {
      arguments.emplace_back();
      continue;
    }
    if (tokens_.is("(") || tokens_.is("[")) ++depth;
    if (tokens_.is(")") || tokens_.is("]")) --depth;
    if (arguments.empty()) arguments.emplace_back();
    arguments.back().push_back(tokens_.next());
  }
  tokens_.expect(")");
  if (arguments.size() != inlined.parameters.size()) {
    tokens_.fail(call.place, "the inline " + call.text + " takes " +
                                 std::to_string(inlined.parameters.size()) + " arguments");
  }
  std::vector<Token> body;
  for (Token token : inlined.body) {
    std::size_t parameter = 0;
    while (parameter < arguments.size() &&
           (token.kind != TokenKind::name || inlined.parameters[parameter] != token.text)) {
      ++parameter;
    }
    if (parameter < arguments.size() && (body.empty() || body.back().text != ".")) {
      body.insert(body.end(), arguments[parameter].begin(), arguments[parameter].end());
    } else {
      token.expansion = all_.expansions;
      body.push_back(token);
    }
  }
  tokens_.replace_since(begin, body);
  if (depth_ > 100) tokens_.fail(call.place, "the inline " + call.text + " calls itself");
  read_statement(sequence);
}

void StatementReader::read_basic(Sequence& sequence) {
  const std::size_t begin = tokens_.position();
  Statement statement;
  statement.place = tokens_.peek().place;
  bool prints = false;
  if (tokens_.is("printf") || tokens_.is("printm")) {
    read_print(statement);
    prints = true;
  } else if (tokens_.accept("assert")) {
    statement.act = Act::assertion;
    statement.expression = all_.expressions.read();
  } else if (tokens_.is("run")) {
    read_run(statement);
  } else if (!read_about_variable(statement)) {
    statement.act = Act::condition;
    statement.expression = all_.expressions.read();
  }
  statement.text = tokens_.text_since(begin);
  const ElementId element = add_basic(sequence, statement);
  body_.elements[element].prints = prints;
  if (statement.act != Act::condition) return;
  const Expression& expression = all_.model.expressions[statement.expression];
  body_.elements[element].skips = expression.kind == Operator::constant && expression.value == 1;
}

void StatementReader::read_print(Statement& statement) {
  statement.act = Act::skip;
  const bool text = tokens_.next().text == "printf";
  tokens_.expect("(");
  if (text) {
    if (tokens_.peek().kind != TokenKind::text) tokens_.fail("expected a text in quotes");
    tokens_.next();
    if (tokens_.accept(",")) (void)all_.expressions.read_arguments(")");
  } else {
    (void)all_.expressions.read();
  }
  tokens_.expect(")");
}

void StatementReader::read_run(Statement& statement) {
  statement.act = Act::run;
  tokens_.expect("run");
  const std::string name = tokens_.expect_name("a proctype");
  tokens_.expect("(");
  statement.arguments = all_.expressions.read_arguments(")");
  tokens_.expect(")");
  refuse_unsupported(tokens_);  // priority
  all_.started.push_back({static_cast<StatementId>(all_.model.statements.size()), name});
}

/// An assignment, a send or a receive: what begins with a variable and is no condition.
bool StatementReader::read_about_variable(Statement& statement) {
  const std::size_t begin = tokens_.position();
  if (tokens_.peek().kind != TokenKind::name || all_.names.find(tokens_.peek().text) == nullptr) {
    return false;
  }
  ExpressionReader& expressions = all_.expressions;
  const std::size_t references = all_.model.references.size();
  const std::size_t known = all_.model.expressions.size();
  const std::vector<ReferenceId> variables = expressions.read_references();
  const ReferenceId variable = variables.empty() ? none : variables.front();
  if (variables.size() == 1 && tokens_.accept("=")) {
    statement.act = Act::assign;
    statement.target = variable;
    if (tokens_.is("run")) {
      read_run(statement);
    } else {
      statement.expression = expressions.read();
    }
  } else if (variables.size() == 1 && (tokens_.is("++") || tokens_.is("--"))) {
    statement.act = Act::assign;
    statement.target = variable;
    Expression sum;
    sum.kind = tokens_.is("++") ? Operator::add : Operator::subtract;
    sum.place = tokens_.next().place;
    sum.first = expressions.value_of(variable);
    sum.second = expressions.constant(1);
    statement.expression = expressions.add(sum);
  } else if (variables.size() == 1 && (tokens_.is("!") || tokens_.is("!!"))) {
    statement.act = Act::send;
    statement.sorted = tokens_.next().text == "!!";
    statement.expression = expressions.value_of(variable);
    statement.arguments = expressions.read_arguments("");
  } else if (variables.size() == 1 && (tokens_.is("?") || tokens_.is("??")) &&
             !tokens_.is("[", 1)) {
    statement.act = Act::receive;
    const bool anywhere = tokens_.next().text == "??";
    const bool keep = tokens_.accept("<");
    statement.expression = expressions.value_of(variable);
    statement.receive = expressions.read_receive(statement.expression, anywhere, keep ? ">" : "");
  } else {
    all_.model.references.resize(references);
    all_.model.expressions.resize(known);
    tokens_.go_back(begin);
    return false;
  }
  return true;
}

}  // namespace mazurka::promela
