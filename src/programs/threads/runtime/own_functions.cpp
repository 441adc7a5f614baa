#include "programs/threads/runtime/own_functions.hpp"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <span>
#include <string_view>
#include <vector>

#include "programs/threads/runtime/runtime.hpp"

namespace mazurka::threads {

namespace {

struct Named {
  std::uintptr_t address = 0;
  Meaning meaning = Meaning::none;
};

struct SymbolExtent {
  std::uintptr_t begin = 0;
  std::uintptr_t size = 0;
};

struct OwnFunctions {
  std::vector<Named> named;
  std::vector<SymbolExtent> assumptions;
  bool has_assume = false;
};

/// The plain name of a symbol: without what C++ and the optimiser put around it.
std::string_view plain_name(std::string_view symbol) {
  if (symbol.starts_with("_Z")) {
    symbol.remove_prefix(symbol.starts_with("_ZL") ? 3 : 2);
    std::size_t length = 0;
    while (!symbol.empty() && std::isdigit(static_cast<unsigned char>(symbol.front())) != 0) {
      length = length * 10 + static_cast<std::size_t>(symbol.front() - '0');
      symbol.remove_prefix(1);
    }
    return symbol.substr(0, length);
  }
  return symbol.substr(0, symbol.find('.'));
}

void take_in(std::string_view name, std::uintptr_t address, OwnFunctions& functions) {
  if (name == "reach_error" || name == "__VERIFIER_error") {
    functions.named.push_back({address, Meaning::error});
  } else if (name.starts_with("__VERIFIER_atomic_")) {
    functions.named.push_back({address, Meaning::indivisible});
  } else if (name == "assume_abort_if_not" || name == "__VERIFIER_assume") {
    functions.has_assume = true;
  }
}

/// Reads a symbol table of the program's file. False: there is none of this type.
bool read_table(std::span<const std::byte> file, std::uint32_t type, std::uintptr_t base,
                OwnFunctions& functions) {
  if (file.size() < sizeof(ElfW(Ehdr))) return false;
  const auto& header = *reinterpret_cast<const ElfW(Ehdr)*>(file.data());
  if (header.e_shoff + header.e_shnum * sizeof(ElfW(Shdr)) > file.size()) return false;
  const auto* all = reinterpret_cast<const ElfW(Shdr)*>(file.data() + header.e_shoff);
  const std::span sections(all, header.e_shnum);
  const auto table = std::find_if(sections.begin(), sections.end(),
                                  [&](const ElfW(Shdr) & one) { return one.sh_type == type; });
  if (table == sections.end() || table->sh_link >= sections.size()) return false;
  const ElfW(Shdr)& strings = sections[table->sh_link];
  if (table->sh_offset + table->sh_size > file.size() ||
      strings.sh_offset + strings.sh_size > file.size()) {
    return false;
  }
  const std::string_view names(reinterpret_cast<const char*>(file.data() + strings.sh_offset),
                               strings.sh_size);
  const auto* first = reinterpret_cast<const ElfW(Sym)*>(file.data() + table->sh_offset);
  for (const ElfW(Sym) & symbol : std::span(first, table->sh_size / sizeof(ElfW(Sym)))) {
    const bool defined = symbol.st_shndx != SHN_UNDEF;
    if ((symbol.st_info & 0xfU) != STT_FUNC || !defined || symbol.st_name >= names.size()) continue;
    const std::string_view rest = names.substr(symbol.st_name);
    const std::string_view name = plain_name(rest.substr(0, rest.find('\0')));
    take_in(name, base + symbol.st_value, functions);
    if (name.find("assume") != std::string_view::npos) {
      functions.assumptions.push_back({base + symbol.st_value, symbol.st_size});
    }
  }
  return true;
}

void look_up_in(const char* path, std::uintptr_t base, OwnFunctions& functions) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat about {};
  if (file < 0 || fstat(file, &about) != 0) return;
  const auto size = static_cast<std::size_t>(about.st_size);
  void* memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (memory == MAP_FAILED) return;
  const std::span<const std::byte> bytes(static_cast<const std::byte*>(memory), size);
  if (!read_table(bytes, SHT_SYMTAB, base, functions)) {
    read_table(bytes, SHT_DYNSYM, base, functions);  // a stripped one: what it exports
  }
  munmap(memory, size);
}

/// The user's own: not the system's, and not ours.
bool is_users(std::string_view path) {
  return !path.starts_with("/lib/") && !path.starts_with("/usr/lib/") &&
         path.find("libmazurka-") == std::string_view::npos;
}

OwnFunctions look_up() {
  OwnFunctions functions;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* answer) {
        auto& found = *static_cast<OwnFunctions*>(answer);
        const std::string_view path = info->dlpi_name == nullptr ? "" : info->dlpi_name;
        if (path.empty()) {  // the program itself
          look_up_in("/proc/self/exe", info->dlpi_addr, found);
        } else if (is_users(path)) {
          look_up_in(info->dlpi_name, info->dlpi_addr, found);
        }
        return 0;
      },
      &functions);
  return functions;
}

const OwnFunctions& own_functions() {
  const EngineScope scope;
  static const OwnFunctions functions = look_up();
  return functions;
}

}  // namespace

Meaning meaning_of(const void* function) {
  for (const Named& one : own_functions().named) {
    if (one.address == reinterpret_cast<std::uintptr_t>(function)) return one.meaning;
  }
  return Meaning::none;
}

bool in_assumption(const void* code) {
  const std::vector<SymbolExtent>& all = own_functions().assumptions;
  return std::any_of(all.begin(), all.end(), [&](const SymbolExtent& one) {
    return reinterpret_cast<std::uintptr_t>(code) - one.begin < one.size;
  });
}

bool aborts_are_assumptions() { return own_functions().has_assume; }

}  // namespace mazurka::threads
