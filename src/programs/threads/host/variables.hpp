// What lies at an address: the variable's name down to the array element and the member, and how
// its type writes a value.
//
// Globals and statics are listed once from the debugging information, by address. Members whose
// names are reserved for the implementation are walked through but not shown: the place of the lock
// word inside a std::mutex m is "m", the value inside a std::atomic<int> x is "x".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "programs/threads/host/debug_info.hpp"

namespace mazurka::threads {

enum class Form : std::uint8_t {
  unknown,
  is_signed,
  is_unsigned,
  boolean,
  character,
  unsigned_character,
  real,
  pointer
};

struct NamedPlace {
  std::string name;
  Form form = Form::unknown;
  std::uint64_t size = 0;              // of what `form` describes; 0: unknown
  std::optional<Dwarf_Die> pointee{};  // of a pointer
};

/// Where a variable ends.
struct VariableEnd {
  std::string name;
  std::uint64_t size = 0;  // of the variable
  std::uint64_t address = 0;
};

/// Through typedefs and qualifiers to what the type is.
[[nodiscard]] Dwarf_Die peeled(Dwarf_Die type);
[[nodiscard]] std::uint64_t size_of(Dwarf_Die* type);

class Variables {
 public:
  explicit Variables(const DebugInfo& info);
  [[nodiscard]] std::optional<NamedPlace> find(std::uint64_t address, std::uint64_t size) const;
  /// What the variable of this name points to.
  [[nodiscard]] std::optional<Dwarf_Die> pointee_of(const std::string& name) const;

 private:
  struct Variable {
    std::uint64_t address = 0;
    std::uint64_t size = 0;
    std::string name;
    Dwarf_Die type;
  };
  void collect(Dwarf_Die* parent, std::uint64_t bias);
  void add(Dwarf_Die* die, std::uint64_t bias);

  std::vector<Variable> variables_;  // by address
};

/// The variable, or the part of it, that the address belongs to, if the variable begins at `begin`.
[[nodiscard]] std::optional<NamedPlace> part_of(Dwarf_Die* variable, std::uint64_t begin,
                                                std::uint64_t address, std::uint64_t size);

/// Where it ends, if it begins at `begin` and the address belongs to it.
[[nodiscard]] std::optional<VariableEnd> end_of_variable(Dwarf_Die* variable, std::uint64_t begin,
                                                         std::uint64_t address);

/// The part at `offset` of something of this type that is called `name`.
[[nodiscard]] NamedPlace part_of_type(Dwarf_Die type, std::string name, std::uint64_t offset,
                                      std::uint64_t size);

/// By the form; by its size as a signed number when that is unknown.
[[nodiscard]] std::string format_value(std::uint64_t value, std::uint64_t size,
                                       const std::optional<NamedPlace>& place);

}  // namespace mazurka::threads
