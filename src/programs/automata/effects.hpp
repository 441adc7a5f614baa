// What an action does to variables: the guards and statements of all its parts, in order.
//
// Variables that occur in one guard or in one statement are coupled: what becomes of the one
// depends on the other. A statement's local variables couple like others, and are 0 in the
// beginning.
#pragma once

#include <utility>
#include <vector>

#include "programs/automata/document.hpp"

namespace mazurka::automata {

class Effect {
 public:
  /// Variables that are coupled, and what concerns them.
  struct Group {
    std::vector<std::uint32_t> variables;
    std::vector<const Expression*> guard;
    std::vector<const Statement*> statements;
  };
  /// Values before and after.
  using Change = std::pair<Values, Values>;

  Effect(const Document& document, Line line) : document_(document), line_(line) {}

  void add(const DeclaredEdge& edge);
  /// After the last one was added: couples.
  void settle();

  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }
  /// Whether the guards without variables hold.
  [[nodiscard]] bool possible() const;
  /// What each combination of a group's values leads to, where it is possible; at most so many.
  [[nodiscard]] std::vector<Change> changes(const Group& group, std::size_t most) const;

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw SyntaxError(document_.file, line_, message);
  }
  [[nodiscard]] bool perform(const Group& group, Values& values) const;
  [[nodiscard]] bool next(const Group& group, Values& values) const;

  const Document& document_;
  Line line_;
  std::vector<const Expression*> guard_;
  std::vector<const Statement*> statements_;
  std::uint32_t locals_ = 0;
  std::vector<const Expression*> without_variables_;
  std::vector<Group> groups_;
};

}  // namespace mazurka::automata
