#include "programs/threads/host/unseen_types.hpp"

#include <dwarf.h>

#include "programs/threads/host/debug_info.hpp"

namespace mazurka::threads {

namespace {

bool on_x86_64(Dwfl_Module* module) {
  GElf_Addr bias = 0;
  GElf_Ehdr header;
  Elf* elf = dwfl_module_getelf(module, &bias);
  return elf != nullptr && gelf_getehdr(elf, &header) != nullptr && header.e_machine == EM_X86_64;
}

/// Whether it is, or consists of, numbers of ten bytes that may change.
bool is_unseen(Dwarf_Die type) {
  constexpr std::uint64_t in_memory = 16;
  while (true) {
    switch (dwarf_tag(&type)) {
      case DW_TAG_base_type: {
        const auto encoding = number(&type, DW_AT_encoding).value_or(0);
        const auto size = number(&type, DW_AT_byte_size).value_or(0);
        return (encoding == DW_ATE_float && size == in_memory) ||
               (encoding == DW_ATE_complex_float && size == 2 * in_memory);
      }
      case DW_TAG_typedef:
      case DW_TAG_volatile_type:
      case DW_TAG_array_type: break;
      default: return false;
    }
    const auto inner = referenced_die(&type, DW_AT_type);
    if (!inner) return false;
    type = *inner;
  }
}

/// In the DIE and all below it.
std::string find_below(Dwarf_Die* die) {
  Dwarf_Die child;
  if (dwarf_child(die, &child) != 0) return {};
  do {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_variable || tag == DW_TAG_member) {
      const auto type = referenced_die(&child, DW_AT_type);
      if (type && is_unseen(*type)) return text(&child, DW_AT_name);
    }
    if (text(&child, DW_AT_name) == "max_align_t") continue;  // of the C library: only for its size
    if (std::string found = find_below(&child); !found.empty()) return found;
  } while (dwarf_siblingof(&child, &child) == 0);
  return {};
}

}  // namespace

std::string unseen_variable(const std::vector<RawModule>& modules) {
  const DebugInfo info(modules, DebugInfo::Of::users);
  for (Dwfl_Module* module : info.user_modules()) {
    if (!on_x86_64(module)) continue;
    Dwarf_Addr bias = 0;
    for (Dwarf_Die* unit = dwfl_module_nextcu(module, nullptr, &bias); unit != nullptr;
         unit = dwfl_module_nextcu(module, unit, &bias)) {
      if (text(unit, DW_AT_producer).find("clang") == std::string::npos) continue;
      if (std::string found = find_below(unit); !found.empty()) return found;
    }
  }
  return {};
}

}  // namespace mazurka::threads
