#include "programs/threads/runtime/machine/images.hpp"

#include <string_view>

namespace mazurka::threads {

Module module_of(const dl_phdr_info& info) {
  const std::string_view path = info.dlpi_name == nullptr ? "" : info.dlpi_name;
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.empty()) return Module::program;
  if (name.starts_with("libmazurka")) return Module::runtime;
  for (const std::string_view prefix : {"libc.so", "libc-", "ld-", "ld.so", "libpthread", "libdl.",
                                        "linux-vdso", "libm.so", "librt."}) {
    if (name.starts_with(prefix)) return Module::c_library;
  }
  return Module::library;
}

namespace {

Extent c_library;
Extent program;
Extent code_of_program;

}  // namespace

bool is_of_program(const dl_phdr_info& module) {
  const Module kind = module_of(module);
  return kind == Module::program || kind == Module::library;
}
Extent extent_of_c_library() { return c_library; }
bool in_c_library(const void* code) { return c_library.contains(code); }
bool in_program(const void* address) { return program.contains(address); }

bool in_code_of_program(std::uintptr_t address) {
  return code_of_program.contains(reinterpret_cast<const void*>(address));
}

void learn_modules() {
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void*) {
        const std::string_view path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
        const std::string_view name = path.substr(path.rfind('/') + 1);
        if (!name.empty() && !name.starts_with("libc.so")) return 0;
        Extent& extent = name.empty() ? program : c_library;
        for (int at = 0; at < info->dlpi_phnum; ++at) {
          const ElfW(Phdr)& header = info->dlpi_phdr[at];
          if (header.p_type != PT_LOAD) continue;
          const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
          if (extent.end == 0) extent.begin = begin;
          extent.end = begin + header.p_memsz;
          if (name.empty() && (header.p_flags & PF_X) != 0) {
            code_of_program = {begin, begin + header.p_memsz};
          }
        }
        return 0;
      },
      nullptr);
}

}  // namespace mazurka::threads
