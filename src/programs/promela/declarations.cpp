#include "programs/promela/declarations.hpp"

#include <array>
#include <utility>

namespace mazurka::promela {

namespace {

constexpr std::array<std::pair<std::string_view, BaseType>, 9> simple_types = {{
    {"bit", BaseType::bit},
    {"bool", BaseType::bit},
    {"byte", BaseType::byte},
    {"pid", BaseType::byte},
    {"short", BaseType::short_int},
    {"int", BaseType::full_int},
    {"mtype", BaseType::mtype},
    {"chan", BaseType::chan},
    {"unsigned", BaseType::unsigned_bits},
}};

constexpr std::int32_t largest_array = 100'000;
constexpr std::uint32_t largest_state = 1U << 20;
constexpr std::int32_t most_messages = 255;

}  // namespace

bool DeclarationReader::is_here() const {
  const Token& token = tokens_.peek();
  if (token.kind != TokenKind::name) return false;
  if (token.text == "show" || token.text == "local" || token.text == "hidden") return true;
  for (const auto& [name, type] : simple_types) {
    if (token.text == name) return true;
  }
  return names_.structure_named(token.text) != none;
}

std::optional<Type> DeclarationReader::read_type() {
  const Token token = tokens_.peek();
  for (const auto& [name, base] : simple_types) {
    if (token.kind != TokenKind::name || token.text != name) continue;
    tokens_.next();
    if (base == BaseType::mtype && tokens_.is(":") && tokens_.peek(1).kind == TokenKind::name) {
      tokens_.next();
      subtype_ = tokens_.next().text;
    }
    return Type{base, 0, none};
  }
  const std::uint32_t structure =
      token.kind == TokenKind::name ? names_.structure_named(token.text) : none;
  if (structure == none) return std::nullopt;
  tokens_.next();
  return Type{BaseType::structure, 0, structure};
}

std::vector<Declared> DeclarationReader::read() {
  refuse_unsupported(tokens_);
  if (!tokens_.accept("show")) (void)tokens_.accept("local");
  const Place place = tokens_.peek().place;
  subtype_.clear();
  const std::optional<Type> type = read_type();
  if (!type) tokens_.fail("expected a type instead of " + tokens_.shown());
  if (type->base == BaseType::mtype && (tokens_.is("{") || tokens_.is("="))) {
    if (!names_.is_global_block()) tokens_.fail(place, "names of messages have to be global");
    (void)tokens_.accept("=");
    read_message_names();
    return {};
  }
  std::vector<Declared> all;
  do all.push_back(read_variable(*type));
  while (tokens_.accept(","));
  return all;
}

void DeclarationReader::read_message_names() {
  tokens_.expect("{");
  std::vector<std::string> fresh;
  while (!tokens_.accept("}")) {
    const Place place = tokens_.peek().place;
    fresh.push_back(tokens_.expect_name("the name of a message"));
    if (names_.constants.contains(fresh.back())) {
      tokens_.fail(place, "the message " + fresh.back() + " is declared twice");
    }
    names_.constants[fresh.back()] = 0;
    (void)tokens_.accept(",");
  }
  // The last one of a list has the smallest number.
  std::int32_t& count = message_counts_[subtype_];
  count += static_cast<std::int32_t>(fresh.size());
  std::int32_t value = count;
  if (value > most_messages) tokens_.fail("there are more than 255 names of messages");
  for (const std::string& name : fresh) names_.constants[name] = value--;
}

Declared DeclarationReader::read_variable(Type type) {
  refuse_unsupported(tokens_);
  Declared declared;
  declared.place = tokens_.peek().place;
  declared.variable.name = tokens_.expect_name("the name of a variable");
  declared.variable.type = type;
  if (tokens_.accept(":")) {
    const std::int32_t bits = expressions_.read_constant();
    if (type.base != BaseType::unsigned_bits || bits < 1 || bits > 31) {
      tokens_.fail(declared.place, "only 'unsigned x : N' has a number of bits, 1 to 31");
    }
    declared.variable.type.bits = static_cast<std::uint8_t>(bits);
  } else if (type.base == BaseType::unsigned_bits) {
    declared.variable.type.bits = 31;
    tokens_.fail(declared.place, "unsigned needs a number of bits: unsigned x : 3");
  }
  if (tokens_.accept("[")) {
    const std::int32_t count = expressions_.read_constant();
    if (count < 1 || count > largest_array) {
      tokens_.fail(declared.place,
                   "an array has 1 to " + std::to_string(largest_array) + " elements");
    }
    declared.variable.is_array = true;
    declared.variable.count = static_cast<std::uint32_t>(count);
    tokens_.expect("]");
  }
  if (tokens_.accept("=")) read_value(declared);
  return declared;
}

void DeclarationReader::read_value(Declared& declared) {
  const Variable& variable = declared.variable;
  if (tokens_.is("[")) {
    if (variable.type.base != BaseType::chan) tokens_.fail(variable.name + " is not a channel");
    declared.channel = read_channel_type();
    return;
  }
  if (variable.type.base == BaseType::structure) {
    tokens_.fail("a structure has no value of its own; give its fields values");
  }
  if (!tokens_.accept("{")) {
    declared.values.push_back(expressions_.read());
    return;
  }
  if (!variable.is_array) tokens_.fail(variable.name + " is not an array");
  do declared.values.push_back(expressions_.constant(expressions_.read_constant()));
  while (tokens_.accept(","));
  tokens_.expect("}");
  while (declared.values.size() < variable.count) declared.values.push_back(declared.values.back());
}

std::uint32_t DeclarationReader::read_channel_type() {
  ChannelType type;
  tokens_.expect("[");
  const std::int32_t capacity = expressions_.read_constant();
  if (capacity < 0 || capacity > 255) tokens_.fail("a channel holds 0 to 255 messages");
  type.capacity = static_cast<std::uint32_t>(capacity);
  tokens_.expect("]");
  tokens_.expect("of");
  tokens_.expect("{");
  do {
    const std::optional<Type> field = read_type();
    if (!field) tokens_.fail("expected a type instead of " + tokens_.shown());
    if (field->base == BaseType::unsigned_bits)
      tokens_.fail("messages can not have unsigned fields");
    if (field->base == BaseType::structure) {
      add_fields(names_.structures[field->structure], type);
    } else {
      type.fields.push_back(cell_of(*field, false));
    }
  } while (tokens_.accept(","));
  tokens_.expect("}");
  for (const Cell& cell : type.fields) {
    type.offsets.push_back(type.message_size);
    type.message_size += size_of(cell.kind);
  }
  model_.channel_types.push_back(type);
  return static_cast<std::uint32_t>(model_.channel_types.size() - 1);
}

void DeclarationReader::add_fields(const Structure& structure, ChannelType& type) const {
  for (const Field& field : structure.fields) {
    for (std::uint32_t at = 0; at < field.variable.count; ++at) {
      if (field.variable.type.base == BaseType::structure) {
        add_fields(names_.structures[field.variable.type.structure], type);
      } else {
        type.fields.push_back(cell_of(field.variable.type, field.variable.is_array));
      }
    }
  }
}

void DeclarationReader::read_typedef() {
  tokens_.expect("typedef");
  Structure structure;
  structure.name = tokens_.expect_name("the name of a type");
  if (names_.structure_named(structure.name) != none) {
    tokens_.fail("the type " + structure.name + " is declared twice");
  }
  tokens_.expect("{");
  while (!tokens_.accept("}")) {
    for (Declared& declared : read()) {
      Field field;
      field.variable = declared.variable;
      field.variable.offset = structure.size;
      field.channel = declared.channel;
      if (!declared.values.empty()) {
        if (declared.variable.is_array)
          tokens_.fail(declared.place, "an array in a type has no value");
        const Expression& value = model_.expressions[declared.values.front()];
        if (value.kind != Operator::constant) tokens_.fail(declared.place, "expected a number");
        field.value = value.value;
      }
      structure.size += names_.size_of_one(field.variable) * field.variable.count;
      structure.fields.push_back(field);
    }
    while (tokens_.accept(";")) {
    }
  }
  names_.structures.push_back(structure);
}

void DeclarationReader::allocate(Declared& declared, bool local, std::uint32_t& size) {
  Variable& variable = declared.variable;
  variable.local = local;
  variable.offset = size;
  const std::uint64_t more = std::uint64_t{names_.size_of_one(variable)} * variable.count;
  if (size + more > largest_state) {
    tokens_.fail(declared.place, "the variables take more than a megabyte");
  }
  size += static_cast<std::uint32_t>(more);
  if (!names_.declare(variable)) {
    tokens_.fail(declared.place, "'" + variable.name + "' is declared twice");
  }
}

void DeclarationReader::list_cells(const Variable& variable, std::uint32_t offset,
                                   std::vector<Model::Span>& cells) const {
  const std::uint32_t size = names_.size_of_one(variable);
  for (std::uint32_t at = 0; at < variable.count; ++at) {
    if (variable.type.base != BaseType::structure) {
      cells.push_back({offset + at * size, size});
      continue;
    }
    for (const Field& field : names_.structures[variable.type.structure].fields) {
      list_cells(field.variable, offset + at * size + field.variable.offset, cells);
    }
  }
}

void DeclarationReader::add_initial(const Variable& variable, std::uint32_t element,
                                    const Initial& initial, std::vector<Initial>& initials,
                                    std::vector<std::uint32_t>& channels) {
  Variable one = variable;
  one.offset += element * names_.size_of_one(variable);
  Initial made = initial;
  made.variable = expressions_.simple_reference(one);
  initials.push_back(made);
  if (made.channel != none) channels.push_back(made.channel);
}

void DeclarationReader::add_initials(const Declared& declared, std::vector<Initial>& initials,
                                     std::vector<std::uint32_t>& channels) {
  const Variable& variable = declared.variable;
  if (variable.type.base == BaseType::structure) {
    for (std::uint32_t at = 0; at < variable.count; ++at) {
      add_field_initials(variable, names_.structures[variable.type.structure],
                         variable.offset + at * names_.size_of_one(variable), initials, channels);
    }
    return;
  }
  for (std::uint32_t at = 0; at < variable.count; ++at) {
    Initial initial;
    initial.channel = declared.channel;
    if (!declared.values.empty()) {
      initial.value = declared.values[declared.values.size() > 1 ? at : 0];
    } else if (declared.channel == none) {
      continue;
    }
    add_initial(variable, at, initial, initials, channels);
  }
}

void DeclarationReader::add_field_initials(const Variable& outer, const Structure& structure,
                                           std::uint32_t offset, std::vector<Initial>& initials,
                                           std::vector<std::uint32_t>& channels) {
  for (const Field& field : structure.fields) {
    Variable variable = field.variable;
    variable.local = outer.local;
    variable.offset += offset;
    variable.name = outer.name + "." + variable.name;
    for (std::uint32_t at = 0; at < variable.count; ++at) {
      if (variable.type.base == BaseType::structure) {
        add_field_initials(variable, names_.structures[variable.type.structure],
                           variable.offset + at * names_.size_of_one(variable), initials, channels);
        continue;
      }
      Initial initial;
      initial.channel = field.channel;
      if (field.value) initial.value = expressions_.constant(*field.value);
      if (field.value || field.channel != none) {
        add_initial(variable, at, initial, initials, channels);
      }
    }
  }
}

}  // namespace mazurka::promela
