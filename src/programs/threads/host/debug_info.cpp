#include "programs/threads/host/debug_info.hpp"

#include <dwarf.h>

#include <string_view>

namespace mazurka::threads {

namespace {

int find_no_separate_file(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*,
                          GElf_Word, char**) {
  return -1;
}

const Dwfl_Callbacks callbacks{.find_elf = dwfl_build_id_find_elf,
                               .find_debuginfo = find_no_separate_file,
                               .section_address = dwfl_offline_section_address,
                               .debuginfo_path = nullptr};

bool is_users(std::string_view path) {
  for (const std::string_view folder : {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"}) {
    if (path.starts_with(folder)) return false;
  }
  return path.find("libmazurka-") == std::string_view::npos;
}

}  // namespace

DebugInfo::DebugInfo(const std::vector<RawModule>& modules, Of which)
    : dwfl_(dwfl_begin(&callbacks)) {
  if (dwfl_ == nullptr) return;
  dwfl_report_begin(dwfl_.get());
  for (const RawModule& module : modules) {
    const bool users = is_users(module.path);
    if (module.path.empty() || (which == Of::users && !users)) continue;
    Dwfl_Module* opened = dwfl_report_elf(dwfl_.get(), module.path.c_str(), module.path.c_str(), -1,
                                          module.base, true);
    if (opened != nullptr && users) user_modules_.push_back(opened);
  }
  dwfl_report_end(dwfl_.get(), nullptr, nullptr);
}

namespace {

bool is_function(Dwarf_Die& die) {
  const int tag = dwarf_tag(&die);
  return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

/// The innermost function or block at the address, among what is below. A function that is local to
/// another one, such as a lambda, is below it, though not at any of its addresses.
std::optional<Dwarf_Die> innermost_at(Dwarf_Die* above, Dwarf_Addr address, bool within) {
  Dwarf_Die die;
  if (dwarf_child(above, &die) != 0) return std::nullopt;
  do {
    const int tag = dwarf_tag(&die);
    const bool block = tag == DW_TAG_lexical_block || is_function(die);
    const bool may_contain = block || tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
                             tag == DW_TAG_structure_type;
    if (!may_contain || (within && !block)) continue;
    const bool here = block && dwarf_haspc(&die, address) == 1;
    if (within && !here) continue;
    if (auto inner = innermost_at(&die, address, within || here)) return inner;
    if (here) return die;
  } while (dwarf_siblingof(&die, &die) == 0);
  return std::nullopt;
}

/// As the library finds it, which does not look at what is local to other functions.
std::optional<Dwarf_Die> innermost_at(Dwarf_Die* unit, Dwarf_Addr address) {
  Scopes found;
  found.count = dwarf_getscopes(unit, address, &found.list);
  for (int i = 0; i < found.count; ++i) {
    if (is_function(found.list[i])) return found.list[0];
  }
  return innermost_at(unit, address, false);
}

}  // namespace

/// The compilation unit of an address. gcc writes a table of them, clang does not.
Dwarf_Die* unit_of(Dwfl_Module* module, Dwarf_Addr address, Dwarf_Addr& bias) {
  if (Dwarf_Die* unit = dwfl_module_addrdie(module, address, &bias)) return unit;
  Dwarf_Die* unit = nullptr;
  while ((unit = dwfl_module_nextcu(module, unit, &bias)) != nullptr) {
    if (dwarf_haspc(unit, address - bias) == 1) return unit;
  }
  return nullptr;
}

void find_scopes(Dwfl_Module* module, Dwarf_Die* unit, Dwarf_Addr address, Scopes& scopes) {
  std::optional<Dwarf_Die> innermost = innermost_at(unit, address);
  if (!innermost) return;
  Dwarf_Addr bias = 0;
  Dwarf_Die die;
  if (dwarf_offdie(dwfl_module_getdwarf(module, &bias), dwarf_dieoffset(&*innermost), &die) !=
      nullptr) {
    scopes.count = dwarf_getscopes_die(&die, &scopes.list);
  }
}

std::vector<Dwarf_Die> variables_in(const Scopes& scopes) {
  std::vector<Dwarf_Die> variables;
  for (int i = 0; i < scopes.count; ++i) {
    Dwarf_Die child;
    if (dwarf_child(&scopes.list[i], &child) != 0) continue;
    do {
      const int tag = dwarf_tag(&child);
      if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter) variables.push_back(child);
    } while (dwarf_siblingof(&child, &child) == 0);
  }
  return variables;
}

std::optional<Dwarf_Die> referenced_die(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Die target;
  if (dwarf_attr_integrate(die, attribute, &found) == nullptr ||
      dwarf_formref_die(&found, &target) == nullptr) {
    return std::nullopt;
  }
  return target;
}

std::optional<Dwarf_Die> template_argument(Dwarf_Die* type, std::size_t nth) {
  Dwarf_Die child;
  if (dwarf_child(type, &child) != 0) return std::nullopt;
  do {
    if (dwarf_tag(&child) != DW_TAG_template_type_parameter) continue;
    if (nth-- == 0) return referenced_die(&child, DW_AT_type);
  } while (dwarf_siblingof(&child, &child) == 0);
  return std::nullopt;
}

std::optional<Dwarf_Die> class_of(Dwarf_Die* function) {
  const std::optional<Dwarf_Die> outside = referenced_die(function, DW_AT_specification);
  Dwarf_Die declaration = outside.value_or(*function);
  Scopes scopes;
  scopes.count = dwarf_getscopes_die(&declaration, &scopes.list);
  if (scopes.count < 2) return std::nullopt;
  const int tag = dwarf_tag(&scopes.list[1]);
  if (tag != DW_TAG_structure_type && tag != DW_TAG_class_type) return std::nullopt;
  return scopes.list[1];
}

std::optional<std::uint64_t> number(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  if (dwarf_attr_integrate(die, attribute, &found) == nullptr ||
      dwarf_formudata(&found, &value) != 0) {
    return std::nullopt;
  }
  return value;
}

std::string text(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute found;
  if (dwarf_attr_integrate(die, attribute, &found) == nullptr) return {};
  const char* value = dwarf_formstring(&found);
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace mazurka::threads
