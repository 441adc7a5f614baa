// A whole model: declarations, inlines, proctypes and init, in the order of the text.
#include <algorithm>
#include <utility>

#include "programs/promela/lexer.hpp"
#include "programs/promela/statements.hpp"

namespace mazurka::promela {

namespace {

class ModelReader {
 public:
  explicit ModelReader(Tokens tokens) : tokens_(std::move(tokens)) {}

  Model read() {
    while (tokens_.peek().kind != TokenKind::end) read_unit();
    if (model_.proctypes.empty()) tokens_.fail("there is no process: no active proctype, no init");
    resolve_runs();
    make_initials();
    model_.files = tokens_.files();
    for (std::size_t at = 0; at < model_.proctypes.size(); ++at) {
      build_locations(bodies_[at], model_, model_.proctypes[at]);
    }
    return std::move(model_);
  }

 private:
  void read_unit() {
    refuse_unsupported(tokens_);
    if (tokens_.accept(";")) return;
    if (tokens_.is("typedef")) {
      declarations_.read_typedef();
    } else if (tokens_.is("inline")) {
      read_inline();
    } else if (tokens_.is("active") || tokens_.is("proctype") || tokens_.is("init")) {
      read_proctype();
    } else if (declarations_.is_here()) {
      for (Declared& declared : declarations_.read()) {
        declarations_.allocate(declared, false, model_.global_size);
        declarations_.list_cells(declared.variable, declared.variable.offset, model_.cells);
        globals_.push_back(declared);
      }
    } else {
      tokens_.fail("expected a declaration, proctype or init instead of " + tokens_.shown());
    }
  }

  void read_inline() {
    tokens_.expect("inline");
    const std::string name = tokens_.expect_name("the name of the inline");
    Inline inlined;
    tokens_.expect("(");
    while (!tokens_.accept(")")) {
      inlined.parameters.push_back(tokens_.expect_name("a parameter"));
      (void)tokens_.accept(",");
    }
    const Place place = tokens_.peek().place;
    if (!tokens_.is("{")) tokens_.fail("expected '{' instead of " + tokens_.shown());
    std::size_t depth = 0;
    do {
      if (tokens_.peek().kind == TokenKind::end) tokens_.fail(place, "a '}' is missing");
      if (tokens_.is("{")) ++depth;
      if (tokens_.is("}")) --depth;
      inlined.body.push_back(tokens_.next());
    } while (depth > 0);
    inlines_[name] = inlined;
  }

  void read_proctype() {
    Proctype proctype;
    proctype.place = tokens_.peek().place;
    names_.open_block();
    if (tokens_.accept("init")) {
      proctype.name = "init";
      proctype.active = 1;
      refuse_unsupported(tokens_);
    } else {
      read_head(proctype);
    }
    model_.proctypes.push_back(proctype);
    Proctype filled = proctype;
    bodies_.push_back(StatementReader(readers_, filled).read());
    model_.proctypes.back() = filled;
    names_.close_block();
  }

  void read_head(Proctype& proctype) {
    if (tokens_.accept("active")) {
      proctype.active = 1;
      if (tokens_.accept("[")) {
        const std::int32_t count = expressions_.read_constant();
        if (count < 0 || count > 255) tokens_.fail("there can be 255 processes");
        proctype.active = static_cast<std::uint32_t>(count);
        tokens_.expect("]");
      }
    }
    refuse_unsupported(tokens_);
    tokens_.expect("proctype");
    proctype.name = tokens_.expect_name("the name of the proctype");
    for (const Proctype& other : model_.proctypes) {
      if (other.name == proctype.name) {
        tokens_.fail("the proctype " + proctype.name + " is declared twice");
      }
    }
    tokens_.expect("(");
    while (!tokens_.accept(")")) {
      read_parameters(proctype);
      while (tokens_.accept(";")) {
      }
    }
    refuse_unsupported(tokens_);
    if (tokens_.accept("provided")) {
      tokens_.expect("(");
      proctype.provided = expressions_.read();
      tokens_.expect(")");
    }
  }

  void read_parameters(Proctype& proctype) {
    const Place place = tokens_.peek().place;
    for (Declared& declared : declarations_.read()) {
      const Variable& variable = declared.variable;
      if (variable.is_array || variable.type.base == BaseType::structure ||
          !declared.values.empty() || declared.channel != none) {
        tokens_.fail(place, "a parameter is a plain variable, without a value");
      }
      declarations_.allocate(declared, true, proctype.size);
      proctype.parameters.push_back(expressions_.simple_reference(declared.variable));
    }
  }

  void resolve_runs() {
    for (const Started& started : started_) {
      Statement& statement = model_.statements[started.statement];
      for (std::uint32_t at = 0; at < model_.proctypes.size(); ++at) {
        if (model_.proctypes[at].name == started.proctype) statement.proctype = at;
      }
      if (statement.proctype == none) {
        tokens_.fail(statement.place, "there is no proctype '" + started.proctype + "'");
      }
      const std::size_t wanted = model_.proctypes[statement.proctype].parameters.size();
      if (statement.arguments.size() != wanted) {
        tokens_.fail(statement.place, "proctype " + started.proctype + " takes " +
                                          std::to_string(wanted) + " arguments");
      }
    }
  }

  /// Type by type, as SPIN does: it gives channels their numbers.
  void make_initials() {
    std::stable_sort(globals_.begin(), globals_.end(),
                     [](const Declared& one, const Declared& other) {
                       return one.variable.type.base < other.variable.type.base;
                     });
    for (const Declared& declared : globals_) {
      declarations_.add_initials(declared, model_.initials, model_.channels);
    }
  }

  TokenStream tokens_;
  Names names_;
  Model model_;
  ExpressionReader expressions_{tokens_, names_, model_};
  DeclarationReader declarations_{tokens_, names_, model_, expressions_};
  Inlines inlines_;
  std::vector<Started> started_;
  Readers readers_{tokens_, names_, model_, expressions_, declarations_, inlines_, started_};
  std::vector<Declared> globals_;
  std::vector<Body> bodies_;
};

}  // namespace

Model parse_model(std::string_view text, const std::string& file) {
  return ModelReader(tokenize(text, file)).read();
}

Model load_model(const std::string& file) { return parse_model(preprocessed(file), file); }

}  // namespace mazurka::promela
