#include "programs/threads/host/blocks.hpp"

#include <dwarf.h>

#include <regex>
#include <string_view>

#include "programs/threads/host/names.hpp"

namespace mazurka::threads {

namespace {

std::string last_component(const std::string& name) {
  const std::size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

/// A name for the type: its own, or that of a typedef for it.
std::string type_name(Dwarf_Die type) {
  for (;;) {
    std::string name = text(&type, DW_AT_name);
    if (!name.empty()) return name;
    const std::optional<Dwarf_Die> next = referenced_die(&type, DW_AT_type);
    if (!next) return {};
    type = *next;
  }
}

std::optional<BlockType> fitting(Dwarf_Die type, std::uint64_t block_size) {
  BlockType result;
  result.name = type_name(type);
  result.element = peeled(type);
  result.size = size_of(&result.element);
  if (result.name.empty() || result.size == 0 || block_size % result.size != 0) return std::nullopt;
  result.is_array = block_size != result.size;
  // A row of single bytes may be anything.
  if (result.is_array && result.size == 1) return std::nullopt;
  result.name = short_type_name(result.name);
  if (result.is_array) result.name += "[" + std::to_string(block_size / result.size) + "]";
  return result;
}

struct NodeType {
  std::string_view type;  // as the library calls it
  std::string_view name;  // as people do; of what is in it
};
constexpr NodeType node_types[] = {{"_Rb_tree_node<", "tree node of "},
                                   {"_List_node<", "list node of "},
                                   {"_Fwd_list_node<", "list node of "},
                                   {"_Hash_node<", "hash node of "},
                                   {"_Sp_counted_ptr_inplace<", "shared "}};

/// As people call what a container allocates; empty: it is a value, or a row of them.
std::string node_name(Dwarf_Die type) {
  const std::string name = text(&type, DW_AT_name);
  for (const NodeType& one : node_types) {
    if (!name.starts_with(one.type)) continue;
    const std::optional<Dwarf_Die> value = template_argument(&type, 0);
    return std::string(one.name) + (value ? short_type_name(type_name(*value)) : "?");
  }
  return {};
}

std::vector<std::string> found_in(const std::string& line, const std::regex& expression) {
  std::vector<std::string> names;
  for (std::sregex_iterator at(line.begin(), line.end(), expression), end; at != end; ++at) {
    names.push_back((*at)[1]);
  }
  return names;
}

}  // namespace

void Blocks::collect(Dwarf_Die* parent) {
  Dwarf_Die child;
  if (dwarf_child(parent, &child) != 0) return;
  do {
    switch (dwarf_tag(&child)) {
      case DW_TAG_structure_type:
      case DW_TAG_class_type:
      case DW_TAG_union_type:
        if (dwarf_hasattr(&child, DW_AT_declaration)) break;
        collect(&child);
        [[fallthrough]];
      case DW_TAG_typedef:
      case DW_TAG_base_type: {
        const std::string name = text(&child, DW_AT_name);
        if (!name.empty()) types_.emplace(name.substr(0, name.find('<')), child);
        break;
      }
      case DW_TAG_namespace:
      case DW_TAG_subprogram: collect(&child); break;
      default: break;
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

std::optional<Dwarf_Die> Blocks::pointee_of(const std::string& variable, std::uint64_t code) const {
  const auto behind = [](Dwarf_Die* die) -> std::optional<Dwarf_Die> {
    std::optional<Dwarf_Die> type = referenced_die(die, DW_AT_type);
    if (!type) return std::nullopt;
    Dwarf_Die pointer = peeled(*type);
    if (dwarf_tag(&pointer) != DW_TAG_pointer_type) return std::nullopt;
    return referenced_die(&pointer, DW_AT_type);
  };
  Dwfl_Module* module = info_.module_of(code);
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = module == nullptr ? nullptr : unit_of(module, code, bias);
  if (unit == nullptr) return std::nullopt;
  Scopes scopes;
  find_scopes(module, unit, code - bias, scopes);
  for (Dwarf_Die& known : variables_in(scopes)) {
    if (text(&known, DW_AT_name) == variable) return behind(&known);
  }
  return variables_.pointee_of(variable);
}

std::optional<BlockType> Blocks::made_by(const std::string& line, std::uint64_t code,
                                         std::uint64_t block_size) {
  if (line.empty() || block_size == 0) return std::nullopt;
  if (!collected_) {
    collected_ = true;
    for (Dwfl_Module* module : info_.user_modules()) {
      Dwarf_Addr bias = 0;
      Dwarf_Die* unit = nullptr;
      while ((unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr) collect(unit);
    }
  }
  static const std::regex types[] = {
      std::regex(R"(\bnew\s+(?:\([^)]*\)\s*)?(?:struct\s+)?((?:\w+::)*\w+))"),
      std::regex(R"(\bmake_unique\s*<\s*((?:\w+::)*\w+))"),
      std::regex(R"(\bsizeof\s*\(\s*(?:struct\s+|union\s+)?((?:\w+::)*\w+)\s*\))"),
      std::regex(R"(\(\s*(?:struct\s+)?(\w+)\s*\*\s*\)\s*(?:malloc|calloc|realloc)\b)")};
  for (const std::regex& expression : types) {
    for (const std::string& name : found_in(line, expression)) {
      const auto [first, last] = types_.equal_range(last_component(name));
      for (auto at = first; at != last; ++at) {
        if (auto type = fitting(at->second, block_size)) return type;
      }
    }
  }
  static const std::regex assigned(
      R"((\w+)\s*=\s*(?:\([^)]*\)\s*)?(?:malloc|calloc|realloc|aligned_alloc)\b)");
  for (const std::string& name : found_in(line, assigned)) {
    if (const auto pointee = pointee_of(name, code)) {
      if (auto type = fitting(*pointee, block_size)) return type;
    }
  }
  return std::nullopt;
}

std::optional<BlockType> Blocks::made_for_container(std::uint64_t code,
                                                    std::uint64_t block_size) const {
  Dwfl_Module* module = info_.module_of(code);
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = module == nullptr ? nullptr : unit_of(module, code, bias);
  if (unit == nullptr) return std::nullopt;
  Scopes scopes;
  find_scopes(module, unit, code - bias, scopes);
  for (int at = 0; at < scopes.count; ++at) {
    const int tag = dwarf_tag(&scopes.list[at]);
    if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine) continue;
    std::optional<Dwarf_Die> allocator = class_of(&scopes.list[at]);
    if (!allocator) continue;
    const std::string name = text(&*allocator, DW_AT_name);
    if (!name.starts_with("__new_allocator<") && !name.starts_with("new_allocator<")) continue;
    const std::optional<Dwarf_Die> type = template_argument(&*allocator, 0);
    if (!type) return std::nullopt;
    Dwarf_Die whole = peeled(*type);
    if (dwarf_tag(&whole) == DW_TAG_pointer_type) return std::nullopt;  // a table of blocks
    std::optional<BlockType> found = fitting(*type, block_size);
    if (const std::string node = node_name(whole); found && !node.empty()) found->name = node;
    return found;
  }
  return std::nullopt;
}

std::optional<BlockType> Blocks::pointed_at(Dwarf_Die pointee, std::uint64_t block_size) {
  return fitting(pointee, block_size);
}

NamedPlace part_of_block(const BlockType& type, std::string name, std::uint64_t offset,
                         std::uint64_t size) {
  if (type.is_array) name += "[" + std::to_string(offset / type.size) + "]";
  return part_of_type(type.element, std::move(name), offset % type.size, size);
}

}  // namespace mazurka::threads
