// Declarations of a model: types, variables, channels, what they begin with.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "programs/promela/expressions.hpp"

namespace mazurka::promela {

struct Declared {
  Variable variable;
  Place place;
  std::vector<ExpressionId> values;  // one, or one per element of an array
  std::uint32_t channel = none;      // the type of channel that it begins with
};

class DeclarationReader {
 public:
  DeclarationReader(TokenStream& tokens, Names& names, Model& model, ExpressionReader& expressions)
      : tokens_(tokens), names_(names), model_(model), expressions_(expressions) {}

  [[nodiscard]] bool is_here() const;
  /// One declaration, without the semicolon. Names of messages (mtype) declare no variable.
  [[nodiscard]] std::vector<Declared> read();
  void read_typedef();

  /// Gives the variable a place among those that take `size` bytes so far, and its name a meaning.
  void allocate(Declared& declared, bool local, std::uint32_t& size);
  /// All cells of a variable at that offset.
  void list_cells(const Variable& variable, std::uint32_t offset,
                  std::vector<Model::Span>& cells) const;
  /// What has to be done so that it begins as declared. Adds the types of channels that are made.
  void add_initials(const Declared& declared, std::vector<Initial>& initials,
                    std::vector<std::uint32_t>& channels);

 private:
  [[nodiscard]] std::optional<Type> read_type();
  [[nodiscard]] Declared read_variable(Type type);
  void read_message_names();
  void read_value(Declared& declared);
  [[nodiscard]] std::uint32_t read_channel_type();
  void add_field_initials(const Variable& outer, const Structure& structure, std::uint32_t offset,
                          std::vector<Initial>& initials, std::vector<std::uint32_t>& channels);
  void add_initial(const Variable& variable, std::uint32_t element, const Initial& initial,
                   std::vector<Initial>& initials, std::vector<std::uint32_t>& channels);
  void add_fields(const Structure& structure, ChannelType& type) const;

  TokenStream& tokens_;
  Names& names_;
  Model& model_;
  ExpressionReader& expressions_;
  std::string subtype_;  // of the mtype that was read last
  std::map<std::string, std::int32_t> message_counts_;
};

}  // namespace mazurka::promela
