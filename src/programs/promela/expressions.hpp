// Expressions of a model: read, with their names resolved.
#pragma once

#include <string>
#include <vector>

#include "programs/promela/model.hpp"
#include "programs/promela/names.hpp"
#include "programs/promela/token_stream.hpp"

namespace mazurka::promela {

/// Throws PromelaError if the token begins something that is not supported, and says what.
void refuse_unsupported(const TokenStream& tokens);

class ExpressionReader {
 public:
  ExpressionReader(TokenStream& tokens, Names& names, Model& model)
      : tokens_(tokens), names_(names), model_(model) {}

  [[nodiscard]] ExpressionId read() { return binary(0); }
  /// One that has to be known now: a size, a number of processes.
  [[nodiscard]] std::int32_t read_constant();

  /// The variables of a name with indices and fields: one, or all fields of a structure.
  [[nodiscard]] std::vector<ReferenceId> read_references();
  [[nodiscard]] ReferenceId read_variable();
  [[nodiscard]] ExpressionId value_of(ReferenceId reference);
  /// The arguments of a receive, up to the closing bracket, if there is one.
  [[nodiscard]] ReceiveId read_receive(ExpressionId channel, bool anywhere, std::string_view close);
  /// A list of values; a structure stands for all its fields.
  [[nodiscard]] std::vector<ExpressionId> read_arguments(std::string_view close);

  ExpressionId add(const Expression& expression);
  ExpressionId constant(std::int32_t value);
  ReferenceId add(const Reference& reference);
  /// Of a variable as a whole, or of its first element.
  [[nodiscard]] ReferenceId simple_reference(const Variable& variable);

 private:
  [[nodiscard]] ExpressionId binary(std::size_t level);
  [[nodiscard]] ExpressionId unary();
  [[nodiscard]] ExpressionId primary();
  [[nodiscard]] ExpressionId in_parentheses();
  [[nodiscard]] ExpressionId named();
  [[nodiscard]] ExpressionId about_channel(Operator kind);
  [[nodiscard]] std::vector<Pattern> read_patterns(std::string_view close);
  void read_pattern(std::vector<Pattern>& out);
  void expand(const Reference& base, const Structure& structure, std::vector<ReferenceId>& out);
  void read_index(const Variable& variable, Reference& reference);

  TokenStream& tokens_;
  Names& names_;
  Model& model_;
  std::size_t depth_ = 0;
};

}  // namespace mazurka::promela
