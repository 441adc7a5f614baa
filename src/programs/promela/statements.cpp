#include "programs/promela/statements.hpp"

namespace mazurka::promela {

namespace {

using Kind = Element::Kind;
constexpr std::size_t deepest_statement = 200;

}  // namespace

Body StatementReader::read() {
  all_.names.open_block();
  tokens_.expect("{");
  body_.sequence = read_sequence(Inside::body);
  append(body_, body_.sequence, new_element(Kind::end, tokens_.peek().place));
  tokens_.expect("}");
  all_.names.close_block();
  resolve_jumps();
  return std::move(body_);
}

Sequence StatementReader::read_sequence(Inside inside) {
  if (++depth_ > deepest_statement) tokens_.fail("the statements are nested too deeply");
  if (inside != Inside::body) at_start_ = false;
  Sequence sequence;
  const auto is_over = [&] {
    return tokens_.is("}") ||
           (inside == Inside::option && (tokens_.is("::") || tokens_.is("fi") || tokens_.is("od")));
  };
  bool separated = true;
  while (true) {
    while (tokens_.is(";") || tokens_.is("->")) {
      separated = true;
      tokens_.next();
    }
    if (is_over()) break;
    if (tokens_.peek().kind == TokenKind::end) tokens_.fail("a '}' is missing");
    if (!separated) tokens_.fail("expected ';' or '->' instead of " + tokens_.shown());
    const std::size_t begin = tokens_.position();
    read_step(sequence);
    const std::size_t end = tokens_.position();
    tokens_.go_back(end > begin ? end - 1 : end);
    separated = tokens_.is("}") || tokens_.is("fi") || tokens_.is("od") || tokens_.is("else");
    tokens_.go_back(end);
  }
  if (sequence.first == none && inside != Inside::body) {
    tokens_.fail("expected a statement instead of " + tokens_.shown());
  }
  --depth_;
  return sequence;
}

void StatementReader::read_step(Sequence& sequence) {
  refuse_unsupported(tokens_);
  if (all_.declarations.is_here()) {
    read_declaration(sequence);
  } else if (tokens_.is("xr") || tokens_.is("xs")) {
    do {
      tokens_.next();
      (void)all_.expressions.read_references();
    } while (tokens_.is(","));
  } else {
    read_labelled(sequence);
  }
}

/// In the middle of a body a declaration is a statement: it gives the variable its value.
void StatementReader::read_declaration(Sequence& sequence) {
  for (Declared& declared : all_.declarations.read()) {
    all_.declarations.allocate(declared, true, proctype_.size);
    if (at_start_ || declared.variable.type.base == BaseType::structure) {
      all_.declarations.add_initials(declared, proctype_.initials, proctype_.channels);
    }
    if (at_start_) continue;
    if (declared.channel != none) {
      tokens_.fail(declared.place, "declare the channel " + declared.variable.name +
                                       " at the start of the proctype");
    }
    if (declared.values.size() > 1) {
      tokens_.fail(declared.place,
                   "declare the array " + declared.variable.name + " at the start of the proctype");
    }
    if (declared.variable.type.base == BaseType::structure) {
      Statement nothing;
      nothing.act = Act::skip;
      nothing.place = declared.place;
      nothing.text = "declares " + declared.variable.name;
      add_basic(sequence, nothing);
      continue;
    }
    const ExpressionId value =
        declared.values.empty() ? all_.expressions.constant(0) : declared.values.front();
    add_assignment(sequence, all_.expressions.simple_reference(declared.variable), value,
                   declared.place);
  }
}

void StatementReader::read_labelled(Sequence& sequence) {
  bool any = false;
  while (tokens_.peek().kind == TokenKind::name && tokens_.is(":", 1)) {
    const Token& token = tokens_.next();
    for (const Label& label : labels_) {
      if (label.name == token.text && label.expansion == token.expansion) {
        tokens_.fail(token.place, "the label " + token.text + " is declared twice");
      }
    }
    pending_.push_back({token.text, token.expansion, none});
    tokens_.expect(":");
    any = true;
  }
  if (any && (tokens_.is("}") || tokens_.is(";") || tokens_.is("::") || tokens_.is("fi") ||
              tokens_.is("od"))) {
    Statement statement;
    statement.act = Act::skip;
    statement.place = tokens_.peek().place;
    statement.text = "skip";
    const ElementId element = add_basic(sequence, statement);
    body_.elements[element].skips = true;
    at_start_ = false;
    return;
  }
  if (any && all_.declarations.is_here())
    tokens_.fail("a label can not stand before a declaration");
  refuse_unsupported(tokens_);
  read_statement(sequence);
  at_start_ = false;
}

void StatementReader::read_statement(Sequence& sequence) {
  if (tokens_.peek().kind == TokenKind::name && all_.inlines.contains(tokens_.peek().text) &&
      tokens_.is("(", 1)) {
    at_start_ = false;
    read_inline(sequence);
  } else if (!read_compound(sequence)) {
    read_basic(sequence);
  }
  refuse_unsupported(tokens_);  // unless
}

bool StatementReader::read_compound(Sequence& sequence) {
  const Place place = tokens_.peek().place;
  if (tokens_.accept("if")) {
    read_selection(sequence, Kind::selection);
  } else if (tokens_.accept("do")) {
    read_selection(sequence, Kind::loop);
  } else if (tokens_.accept("for")) {
    read_for(sequence);
  } else if (tokens_.accept("select")) {
    read_select(sequence);
  } else if (tokens_.accept("atomic")) {
    read_braced(sequence, Kind::atomic);
  } else if (tokens_.accept("d_step")) {
    read_braced(sequence, Kind::d_step);
  } else if (tokens_.is("{")) {
    read_braced(sequence, Kind::block);
  } else if (tokens_.is("goto")) {
    read_goto(sequence);
  } else if (tokens_.accept("break")) {
    if (breaks_.empty()) tokens_.fail(place, "'break' outside of a loop");
    const ElementId jump = new_element(Kind::jump, place);
    breaks_.back().push_back(jump);
    body_.elements[jump].breaks = true;
    give_labels(jump);
    append(body_, sequence, jump);
  } else if (tokens_.accept("else")) {
    const ElementId element = new_element(Kind::otherwise, place);
    give_labels(element);
    append(body_, sequence, element);
  } else {
    return false;
  }
  return true;
}

void StatementReader::read_selection(Sequence& sequence, Kind kind) {
  const ElementId selection = new_element(kind, tokens_.peek().place);
  give_labels(selection);
  if (kind == Kind::loop) breaks_.emplace_back();
  Sequence otherwise;
  std::vector<Sequence> options;
  if (!tokens_.is("::")) tokens_.fail("expected '::' instead of " + tokens_.shown());
  while (tokens_.accept("::")) {
    const Place place = tokens_.peek().place;
    all_.names.open_block();
    const Sequence option = read_sequence(Inside::option);
    all_.names.close_block();
    refuse_label_at(option, true);
    if (body_.elements[option.first].kind == Kind::otherwise) {
      if (otherwise.first != none) tokens_.fail(place, "a second 'else'");
      otherwise = option;
    } else {
      options.push_back(option);
    }
  }
  if (otherwise.first != none) options.push_back(otherwise);
  tokens_.expect(kind == Kind::loop ? "od" : "fi");
  body_.elements[selection].options = options;
  prune_skips(body_, selection);
  close_selection(sequence, selection);
}

/// The end that all options share, and the exit of a loop.
void StatementReader::close_selection(Sequence& sequence, ElementId selection) {
  const Place place = body_.elements[selection].place;
  const bool loop = body_.elements[selection].kind == Kind::loop;
  const ElementId join = new_element(Kind::join, place);
  for (Sequence& option : body_.elements[selection].options) append(body_, option, join);
  if (!loop) {
    append(body_, sequence, selection);
    append(body_, sequence, join);
    return;
  }
  append(body_, sequence, join);
  append(body_, sequence, selection);
  const ElementId exit = new_element(Kind::exit, place);
  append(body_, sequence, exit);
  for (const ElementId jump : breaks_.back()) body_.elements[jump].target = exit;
  breaks_.pop_back();
}

void StatementReader::read_braced(Sequence& sequence, Kind kind) {
  const Place place = tokens_.peek().place;
  const ElementId element = new_element(kind, place);
  give_labels(element);
  tokens_.expect("{");
  all_.names.open_block();
  const Sequence body = read_sequence(Inside::block);
  all_.names.close_block();
  tokens_.expect("}");
  refuse_label_at(body, false);
  body_.elements[element].body = body;
  if (kind == Kind::atomic) make_indivisible(body_, body, none);
  if (kind == Kind::d_step) {
    const std::uint32_t number = all_.d_steps++;
    make_indivisible(body_, body, number);
    Statement statement;
    statement.act = Act::d_step;
    statement.place = place;
    statement.text = "d_step";
    statement.d_step = number;
    all_.model.statements.push_back(statement);
    body_.elements[element].statement = static_cast<StatementId>(all_.model.statements.size() - 1);
  }
  append(body_, sequence, element);
}

// --- jumps and labels

void StatementReader::read_goto(Sequence& sequence) {
  const Token& token = tokens_.next();
  const ElementId jump = new_element(Kind::jump, token.place);
  wanted_[jump] = {tokens_.peek().text, tokens_.peek().expansion, none};
  (void)tokens_.expect_name("a label");
  bool special = false;
  for (const Label& label : pending_) {
    for (const std::string_view word : {"accept", "end", "progress"}) {
      special = special || label.name.starts_with(word);
    }
  }
  if (special) {  // a jump is no place to be in
    Statement statement;
    statement.act = Act::skip;
    statement.place = token.place;
    statement.text = "skip";
    body_.elements[add_basic(sequence, statement)].skips = true;
  }
  give_labels(jump);
  append(body_, sequence, jump);
}

void StatementReader::give_labels(ElementId element) {
  for (Label& label : pending_) {
    label.element = element;
    labels_.push_back(label);
    body_.elements[element].labelled = true;
    if (label.name.starts_with("end")) body_.elements[element].may_end = true;
  }
  pending_.clear();
}

void StatementReader::refuse_label_at(const Sequence& sequence, bool option) const {
  ElementId first = sequence.first;
  if (body_.elements[first].kind == Kind::join) first = body_.elements[first].next;
  const Element& element = body_.elements[first];
  const bool wrong = option ? element.may_end : (element.labelled && first == sequence.first);
  if (!wrong && !element.may_end) return;
  tokens_.fail(element.place, option ? "an end label can not stand at the beginning of an option: "
                                       "put it before the 'if' or 'do'"
                                     : "a label can not stand behind a '{': put it before");
}

ElementId StatementReader::label_named(const std::string& name, std::uint32_t expansion,
                                       const Place& place) const {
  ElementId found = none;
  for (const Label& label : labels_) {
    if (label.name != name) continue;
    if (label.expansion == expansion) return label.element;
    found = label.element;
  }
  if (found == none) tokens_.fail(place, "there is no label '" + name + "'");
  return found;
}

void StatementReader::resolve_jumps() {
  for (const auto& [jump, label] : wanted_) {
    body_.elements[jump].target =
        label_named(label.name, label.expansion, body_.elements[jump].place);
  }
  for (const Element& element : body_.elements) {
    if (element.kind != Kind::jump) continue;
    if (element.d_step != body_.elements[element.target].d_step) {
      tokens_.fail(element.place, "a jump into or out of a d_step");
    }
  }
}

}  // namespace mazurka::promela
