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
  return path.find("libmazurka-threads.so") == std::string_view::npos;
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
  Scopes innermost;
  innermost.count = dwarf_getscopes(unit, address, &innermost.list);
  if (innermost.count <= 0) return;
  Dwarf_Addr bias = 0;
  Dwarf_Die die;
  if (dwarf_offdie(dwfl_module_getdwarf(module, &bias), dwarf_dieoffset(&innermost.list[0]),
                   &die) != nullptr) {
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
