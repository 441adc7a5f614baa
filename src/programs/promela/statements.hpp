// The statements of one proctype: read into elements, in the order and nesting of the text.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "programs/promela/control.hpp"
#include "programs/promela/declarations.hpp"

namespace mazurka::promela {

struct Inline {
  std::vector<std::string> parameters;
  std::vector<Token> body;  // with its braces
};
using Inlines = std::map<std::string, Inline>;

/// A `run` whose proctype may be declared later.
struct Started {
  StatementId statement = none;
  std::string proctype;
};

/// What the readers of a model share.
struct Readers {
  TokenStream& tokens;
  Names& names;
  Model& model;
  ExpressionReader& expressions;
  DeclarationReader& declarations;
  Inlines& inlines;
  std::vector<Started>& started;
  std::uint32_t d_steps = 0;
  std::uint32_t expansions = 0;
};

class StatementReader {
 public:
  StatementReader(Readers& readers, Proctype& proctype)
      : all_(readers), tokens_(readers.tokens), proctype_(proctype) {}

  /// The body of a proctype, with its braces.
  [[nodiscard]] Body read();

 private:
  enum class Inside : std::uint8_t { body, block, option };
  struct Label {
    std::string name;
    std::uint32_t expansion = 0;
    ElementId element = none;
  };

  [[nodiscard]] Sequence read_sequence(Inside inside);
  void read_step(Sequence& sequence);
  void read_declaration(Sequence& sequence);
  void read_labelled(Sequence& sequence);
  void read_statement(Sequence& sequence);
  [[nodiscard]] bool read_compound(Sequence& sequence);
  void read_selection(Sequence& sequence, Element::Kind kind);
  void close_selection(Sequence& sequence, ElementId selection);
  void read_braced(Sequence& sequence, Element::Kind kind);
  void read_for(Sequence& sequence);
  void read_select(Sequence& sequence);
  void read_goto(Sequence& sequence);
  void read_inline(Sequence& sequence);
  void read_basic(Sequence& sequence);
  [[nodiscard]] bool read_about_variable(Statement& statement);
  void read_run(Statement& statement);
  void read_print(Statement& statement);

  ElementId new_element(Element::Kind kind, const Place& place);
  ElementId add_basic(Sequence& sequence, const Statement& statement);
  void add_assignment(Sequence& sequence, ReferenceId target, ExpressionId value,
                      const Place& place);
  void add_condition(Sequence& sequence, Operator kind, ReferenceId left, ExpressionId right,
                     const Place& place);
  [[nodiscard]] Sequence leaving_option(bool otherwise, const Place& place);
  void add_increment(Sequence& sequence, ReferenceId variable, const Place& place);
  void give_labels(ElementId element);
  void resolve_jumps();
  [[nodiscard]] ElementId label_named(const std::string& name, std::uint32_t expansion,
                                      const Place& place) const;
  void refuse_label_at(const Sequence& sequence, bool option) const;

  Readers& all_;
  TokenStream& tokens_;
  Proctype& proctype_;
  Body body_;
  std::vector<Label> labels_;
  std::vector<Label> pending_;                  // of the statement that comes next
  std::map<ElementId, Label> wanted_;           // by jumps
  std::vector<std::vector<ElementId>> breaks_;  // per loop around here: the jumps out of it
  bool at_start_ = true;                        // declarations are done when the process starts
  std::size_t depth_ = 0;
};

}  // namespace mazurka::promela
