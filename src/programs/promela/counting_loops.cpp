// for and select: loops and selections that the text does not spell out.
#include "programs/promela/arithmetic.hpp"
#include "programs/promela/statements.hpp"

namespace mazurka::promela {

void StatementReader::add_increment(Sequence& sequence, ReferenceId variable, const Place& place) {
  Expression sum;
  sum.kind = Operator::add;
  sum.place = place;
  sum.first = all_.expressions.value_of(variable);
  sum.second = all_.expressions.constant(1);
  add_assignment(sequence, variable, all_.expressions.add(sum), place);
}

/// `else -> break`, or `break` alone.
Sequence StatementReader::leaving_option(bool otherwise, const Place& place) {
  Sequence option;
  if (otherwise) append(body_, option, new_element(Element::Kind::otherwise, place));
  const ElementId jump = new_element(Element::Kind::jump, place);
  breaks_.back().push_back(jump);
  body_.elements[jump].breaks = true;
  append(body_, option, jump);
  return option;
}

void StatementReader::read_for(Sequence& sequence) {
  const Place place = tokens_.peek().place;
  tokens_.expect("(");
  const ReferenceId variable = all_.expressions.read_variable();
  ExpressionId from = none;
  ExpressionId to = none;
  if (tokens_.accept("in")) {
    const Variable* array = all_.names.find(tokens_.expect_name("an array"));
    if (array == nullptr || !array->is_array) {
      tokens_.fail(place, "'for (x in ...)' is supported for arrays only");
    }
    from = all_.expressions.constant(0);
    to = all_.expressions.constant(static_cast<std::int32_t>(array->count) - 1);
  } else {
    tokens_.expect(":");
    from = all_.expressions.read();
    tokens_.expect("..");
    to = all_.expressions.read();
  }
  tokens_.expect(")");
  (void)tokens_.accept(";");
  const ElementId loop = new_element(Element::Kind::loop, place);
  give_labels(loop);  // not the assignment before it
  add_assignment(sequence, variable, from, place);
  breaks_.emplace_back();
  tokens_.expect("{");
  all_.names.open_block();
  Sequence body;
  add_condition(body, Operator::at_most, variable, to, place);
  const Sequence rest = read_sequence(Inside::block);
  all_.names.close_block();
  tokens_.expect("}");
  body_.elements[body.last].next = rest.first;
  body.last = rest.last;
  add_increment(body, variable, place);
  body_.elements[loop].options = {body, leaving_option(true, place)};
  close_selection(sequence, loop);
}

void StatementReader::read_select(Sequence& sequence) {
  const Place place = tokens_.peek().place;
  tokens_.expect("(");
  const ReferenceId variable = all_.expressions.read_variable();
  tokens_.expect(":");
  const ExpressionId from = all_.expressions.read();
  tokens_.expect("..");
  const ExpressionId to = all_.expressions.read();
  tokens_.expect(")");
  const std::optional<std::int32_t> lowest = constant_value(all_.model, from);
  const std::optional<std::int32_t> highest = constant_value(all_.model, to);
  if (lowest && highest) {
    constexpr std::int32_t most_values = 10'000;
    if (*lowest > *highest || *highest - *lowest > most_values) {
      tokens_.fail(place, "the values to select from are none, or too many");
    }
    const ElementId selection = new_element(Element::Kind::selection, place);
    give_labels(selection);
    std::vector<Sequence> options;
    for (std::int32_t value = *lowest; value <= *highest; ++value) {
      add_assignment(options.emplace_back(), variable, all_.expressions.constant(value), place);
    }
    body_.elements[selection].options = options;
    close_selection(sequence, selection);
    return;
  }
  const ElementId loop = new_element(Element::Kind::loop, place);
  give_labels(loop);
  add_assignment(sequence, variable, from, place);
  breaks_.emplace_back();
  Sequence more;
  add_condition(more, Operator::less, variable, to, place);
  add_increment(more, variable, place);
  body_.elements[loop].options = {leaving_option(false, place), more};
  close_selection(sequence, loop);
}

}  // namespace mazurka::promela
