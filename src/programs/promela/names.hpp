// The names of a model and what they stand for, block by block.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "programs/promela/model.hpp"

namespace mazurka::promela {

enum class BaseType : std::uint8_t {
  unsigned_bits,
  bit,
  byte,
  chan,
  mtype,
  short_int,
  full_int,
  structure
};

struct Type {
  BaseType base = BaseType::byte;
  std::uint8_t bits = 0;           // of unsigned
  std::uint32_t structure = none;  // which typedef
};

struct Variable {
  std::string name;
  Type type;
  bool is_array = false;
  std::uint32_t count = 1;
  bool local = false;
  std::uint32_t offset = 0;
};

struct Field {
  Variable variable;  // its offset is that inside of the structure
  std::optional<std::int32_t> value;
  std::uint32_t channel = none;
};
struct Structure {
  std::string name;
  std::vector<Field> fields;
  std::uint32_t size = 0;
};

[[nodiscard]] inline Cell cell_of(const Type& type, bool in_array) {
  switch (type.base) {
    case BaseType::bit: return {in_array ? CellKind::byte : CellKind::bit, 0};
    case BaseType::short_int: return {CellKind::short_int, 0};
    case BaseType::full_int: return {CellKind::full_int, 0};
    case BaseType::unsigned_bits: return {CellKind::few_bits, type.bits};
    default: return {CellKind::byte, 0};
  }
}

class Names {
 public:
  std::vector<Structure> structures;
  std::map<std::string, std::int32_t> constants;  // of mtype

  [[nodiscard]] std::uint32_t size_of_one(const Variable& variable) const {
    if (variable.type.base == BaseType::structure) {
      return structures[variable.type.structure].size;
    }
    return size_of(cell_of(variable.type, variable.is_array).kind);
  }
  [[nodiscard]] std::uint32_t structure_named(const std::string& name) const {
    for (std::uint32_t at = 0; at < structures.size(); ++at) {
      if (structures[at].name == name) return at;
    }
    return none;
  }

  void open_block() { blocks_.emplace_back(); }
  void close_block() { blocks_.pop_back(); }
  /// False if the block has the name already.
  bool declare(const Variable& variable) {
    return blocks_.back().emplace(variable.name, variable).second;
  }
  [[nodiscard]] const Variable* find(const std::string& name) const {
    for (std::size_t at = blocks_.size(); at-- > 0;) {
      const auto found = blocks_[at].find(name);
      if (found != blocks_[at].end()) return &found->second;
    }
    return nullptr;
  }
  [[nodiscard]] bool is_global_block() const { return blocks_.size() == 1; }

 private:
  std::vector<std::map<std::string, Variable>> blocks_{1};
};

}  // namespace mazurka::promela
