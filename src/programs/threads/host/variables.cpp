#include "programs/threads/host/variables.hpp"

#include <dwarf.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>

#include "core/check.hpp"
#include "programs/threads/host/names.hpp"

namespace mazurka::threads {

Dwarf_Die peeled(Dwarf_Die type) {
  Dwarf_Die result = type;
  return dwarf_peel_type(&type, &result) == 0 ? result : type;
}

std::uint64_t size_of(Dwarf_Die* type) {
  Dwarf_Word size = 0;
  return dwarf_aggregate_size(type, &size) == 0 ? size : 0;
}

namespace {

std::optional<Dwarf_Die> type_of(Dwarf_Die* die) {
  std::optional<Dwarf_Die> type = referenced_die(die, DW_AT_type);
  if (type) *type = peeled(*type);
  return type;
}

Form form_of(Dwarf_Die* type) {
  switch (dwarf_tag(type)) {
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type: return Form::pointer;
    case DW_TAG_enumeration_type: {
      std::optional<Dwarf_Die> underlying = type_of(type);
      return underlying ? form_of(&*underlying) : Form::is_unsigned;
    }
    case DW_TAG_base_type: break;
    default: return Form::unknown;
  }
  switch (number(type, DW_AT_encoding).value_or(0)) {
    case DW_ATE_boolean: return Form::boolean;
    case DW_ATE_float: return Form::real;
    case DW_ATE_signed: return Form::is_signed;
    case DW_ATE_unsigned: return Form::is_unsigned;
    case DW_ATE_signed_char: return Form::character;
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF: return Form::unsigned_character;
    default: return Form::unknown;
  }
}

std::vector<std::uint64_t> dimensions(Dwarf_Die* array) {
  std::vector<std::uint64_t> result;
  Dwarf_Die child;
  if (dwarf_child(array, &child) != 0) return result;
  do {
    if (dwarf_tag(&child) != DW_TAG_subrange_type) continue;
    if (const auto count = number(&child, DW_AT_count)) {
      result.push_back(*count);
    } else {
      const auto last = number(&child, DW_AT_upper_bound);
      result.push_back(last ? *last + 1 : 0);
    }
  } while (dwarf_siblingof(&child, &child) == 0);
  return result;
}

/// Walks from a whole variable down to the part at `offset`.
class Descent {
 public:
  Descent(std::string name, std::uint64_t size) : place_{std::move(name)}, wanted_size_(size) {}

  NamedPlace walk(Dwarf_Die type, std::uint64_t offset) {
    while (step(type, offset)) {
    }
    if (offset == 0) {
      place_.form = form_of(&type);
      place_.size = size_of(&type);
      if (place_.form == Form::pointer) place_.pointee = referenced_die(&type, DW_AT_type);
    } else if (!reserved_) {
      place_.name += "+" + std::to_string(offset);
    }
    return std::move(place_);
  }

 private:
  bool step(Dwarf_Die& type, std::uint64_t& offset) {
    switch (dwarf_tag(&type)) {
      case DW_TAG_array_type: return into_element(type, offset);
      case DW_TAG_structure_type:
      case DW_TAG_class_type:
      case DW_TAG_union_type: return into_member(type, offset);
      default: return false;
    }
  }

  bool into_element(Dwarf_Die& type, std::uint64_t& offset) {
    std::optional<Dwarf_Die> element = type_of(&type);
    const std::uint64_t size = element ? size_of(&*element) : 0;
    if (size == 0) return false;
    std::uint64_t index = offset / size;
    const std::vector<std::uint64_t> counts = dimensions(&type);
    std::string indices;
    for (std::size_t i = counts.size(); i-- > 1;) {
      if (counts[i] == 0) return false;
      indices = "[" + std::to_string(index % counts[i]) + "]" + indices;
      index /= counts[i];
    }
    // Elements of the implementation's own arrays (the bytes of a lock) are not worth a name, but
    // those of a std::array are.
    const bool bytes_inside = reserved_ && size == 1;
    if (!bytes_inside) place_.name += "[" + std::to_string(index) + "]" + indices;
    offset %= size;
    type = *element;
    return true;
  }

  /// The library keeps the values of its nodes in rows of bytes; the type of the value is said.
  bool into_buffer(Dwarf_Die& type) {
    const std::string name = text(&type, DW_AT_name);
    if (!name.starts_with("__aligned_membuf<") && !name.starts_with("__aligned_buffer<")) {
      return false;
    }
    std::optional<Dwarf_Die> value = template_argument(&type, 0);
    if (!value) return false;
    type = peeled(*value);
    reserved_ = false;
    return true;
  }

  bool into_member(Dwarf_Die& type, std::uint64_t& offset) {
    if (into_buffer(type)) return true;
    Dwarf_Die child;
    if (dwarf_child(&type, &child) != 0) return false;
    std::optional<Dwarf_Die> best;
    std::uint64_t best_start = 0;
    bool best_fits = false;
    do {
      const int tag = dwarf_tag(&child);
      if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
      if (dwarf_hasattr(&child, DW_AT_external)) continue;  // a static member has its own place
      std::optional<Dwarf_Die> member_type = type_of(&child);
      if (!member_type) continue;
      const std::uint64_t start = start_of(&child);
      const std::uint64_t size = size_of(&*member_type);
      if (offset < start || offset >= start + size) continue;
      if (size < wanted_size_) continue;  // an access to several of them is one to the whole
      const bool fits = size == wanted_size_;
      if (best && (best_fits || !fits)) continue;
      best = child;
      best_start = start;
      best_fits = fits;
    } while (dwarf_siblingof(&child, &child) == 0);
    if (!best) return false;

    const std::string name = text(&*best, DW_AT_name);
    if (is_reserved_name(name)) {
      reserved_ = true;
    } else if (!name.empty() && dwarf_tag(&*best) == DW_TAG_member) {
      place_.name += "." + name;
    }
    MAZURKA_CHECK(best_start <= offset, "a part begins before what is in it");
    offset -= best_start;
    type = *type_of(&*best);
    return true;
  }

  static std::uint64_t start_of(Dwarf_Die* member) {
    if (const auto start = number(member, DW_AT_data_member_location)) return *start;
    return number(member, DW_AT_data_bit_offset).value_or(0) / 8;
  }

  NamedPlace place_;
  std::uint64_t wanted_size_;
  bool reserved_ = false;  // inside a type of the implementation
};

/// The address in a location that is just an address.
std::optional<std::uint64_t> fixed_address(Dwarf_Die* variable) {
  Dwarf_Attribute location;
  Dwarf_Op* operations = nullptr;
  std::size_t count = 0;
  if (dwarf_attr(variable, DW_AT_location, &location) == nullptr ||
      dwarf_getlocation(&location, &operations, &count) != 0 || count != 1) {
    return std::nullopt;
  }
  if (operations[0].atom == DW_OP_addr) return operations[0].number;
  if (operations[0].atom == DW_OP_addrx || operations[0].atom == DW_OP_GNU_addr_index) {
    Dwarf_Attribute resolved;
    Dwarf_Addr address = 0;
    if (dwarf_getlocation_attr(&location, &operations[0], &resolved) == 0 &&
        dwarf_formaddr(&resolved, &address) == 0) {
      return address;
    }
  }
  return std::nullopt;
}

std::string variable_name(Dwarf_Die* die) {
  const std::string linkage = text(die, DW_AT_linkage_name);
  std::string name = linkage.empty() ? std::string() : demangled(linkage);
  if (name.empty() || name == linkage || name.find('(') != std::string::npos) {
    name = text(die, DW_AT_name);
  }
  return name;
}

}  // namespace

Variables::Variables(const DebugInfo& info) {
  for (Dwfl_Module* module : info.user_modules()) {
    Dwarf_Addr bias = 0;
    Dwarf_Die* unit = nullptr;
    while ((unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr) collect(unit, bias);
  }
  std::stable_sort(variables_.begin(), variables_.end(),
                   [](const Variable& a, const Variable& b) { return a.address < b.address; });
}

void Variables::collect(Dwarf_Die* parent, std::uint64_t bias) {
  Dwarf_Die child;
  if (dwarf_child(parent, &child) != 0) return;
  do {
    switch (dwarf_tag(&child)) {
      case DW_TAG_variable: add(&child, bias); break;
      case DW_TAG_namespace:
      case DW_TAG_subprogram:  // for the statics in it
      case DW_TAG_lexical_block:
      case DW_TAG_inlined_subroutine: collect(&child, bias); break;
      default: break;
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

void Variables::add(Dwarf_Die* die, std::uint64_t bias) {
  const std::optional<std::uint64_t> address = fixed_address(die);
  std::optional<Dwarf_Die> type = type_of(die);
  if (!address || !type) return;
  std::string name = variable_name(die);
  if (name.empty()) return;
  variables_.push_back({*address + bias, size_of(&*type), std::move(name), *type});
}

std::optional<NamedPlace> Variables::find(std::uint64_t address, std::uint64_t size) const {
  auto after = std::upper_bound(
      variables_.begin(), variables_.end(), address,
      [](std::uint64_t wanted, const Variable& variable) { return wanted < variable.address; });
  if (after == variables_.begin()) return std::nullopt;
  const Variable& variable = *--after;
  if (address - variable.address >= std::max<std::uint64_t>(variable.size, 1)) return std::nullopt;
  return Descent(variable.name, size).walk(variable.type, address - variable.address);
}

std::optional<Dwarf_Die> Variables::pointee_of(const std::string& name) const {
  for (const Variable& variable : variables_) {
    if (variable.name != name) continue;
    Dwarf_Die type = variable.type;
    if (dwarf_tag(&type) == DW_TAG_pointer_type) return referenced_die(&type, DW_AT_type);
  }
  return std::nullopt;
}

NamedPlace part_of_type(Dwarf_Die type, std::string name, std::uint64_t offset,
                        std::uint64_t size) {
  return Descent(std::move(name), size).walk(type, offset);
}

namespace {

/// dwarf_attr_integrate: what was inlined has its type where it was written.
std::optional<Dwarf_Die> type_of_variable(Dwarf_Die* variable) {
  Dwarf_Attribute reference;
  Dwarf_Die type;
  if (dwarf_formref_die(dwarf_attr_integrate(variable, DW_AT_type, &reference), &type) == nullptr) {
    return std::nullopt;
  }
  return peeled(type);
}

}  // namespace

std::optional<VariableEnd> end_of_variable(Dwarf_Die* variable, std::uint64_t begin,
                                           std::uint64_t address) {
  std::optional<Dwarf_Die> type = type_of_variable(variable);
  const std::uint64_t size = type ? size_of(&*type) : 0;
  if (address < begin || address - begin >= size) return std::nullopt;
  return VariableEnd{text(variable, DW_AT_name), size, begin + size};
}

std::optional<NamedPlace> part_of(Dwarf_Die* variable, std::uint64_t begin, std::uint64_t address,
                                  std::uint64_t size) {
  std::optional<Dwarf_Die> found = type_of_variable(variable);
  if (address < begin || !found) return std::nullopt;
  Dwarf_Die type = *found;
  std::string name = text(variable, DW_AT_name);
  if (name.empty() || address - begin >= std::max<std::uint64_t>(size_of(&type), 1)) {
    return std::nullopt;
  }
  return Descent(std::move(name), size).walk(type, address - begin);
}

// ------------------------------------------------------------------------------------------------

std::string format_value(std::uint64_t value, std::uint64_t size,
                         const std::optional<NamedPlace>& place) {
  // An access to a part or to several members at once is not what the type describes.
  const Form form = place && (place->size == size || size == 0) ? place->form : Form::unknown;
  const unsigned bits = size == 0 || size >= 8 ? 64 : static_cast<unsigned>(size) * 8;
  const std::uint64_t cut = bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
  const auto as_signed = static_cast<std::int64_t>(cut << (64 - bits)) >> (64 - bits);
  std::array<char, 40> buffer{};
  switch (form) {
    case Form::is_unsigned: return std::to_string(cut);
    case Form::boolean: return cut == 0 ? "false" : "true";
    case Form::character:
    case Form::unsigned_character:
      if (cut >= 0x20 && cut < 0x7f) return std::string("'") + static_cast<char>(cut) + "'";
      return form == Form::character ? std::to_string(as_signed) : std::to_string(cut);
    case Form::pointer:
      if (cut == 0) return "null";
      std::snprintf(buffer.data(), buffer.size(), "0x%llx", static_cast<unsigned long long>(cut));
      return buffer.data();
    case Form::real: {
      if (size != 4 && size != 8) break;
      const double real =
          size == 4 ? static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(cut)))
                    : std::bit_cast<double>(cut);
      std::snprintf(buffer.data(), buffer.size(), "%g", real);
      return buffer.data();
    }
    case Form::unknown:
      if (bits == 64 && (as_signed >> 32) != 0 && (as_signed >> 32) != -1) {  // likely an address
        std::snprintf(buffer.data(), buffer.size(), "0x%llx", static_cast<unsigned long long>(cut));
        return buffer.data();
      }
      break;
    case Form::is_signed: break;
  }
  return std::to_string(as_signed);
}

}  // namespace mazurka::threads
