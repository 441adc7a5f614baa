#include "programs/caf/code_names.hpp"

#include <cxxabi.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace mazurka::caf {

namespace {

struct Program {
  std::uintptr_t bias = 0;
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;  // of its code
};

// The first that is told is the program.
int take_program(dl_phdr_info* info, std::size_t, void* result) {
  Program& program = *static_cast<Program*>(result);
  program.bias = info->dlpi_addr;
  for (std::size_t at = 0; at < info->dlpi_phnum; ++at) {
    const ElfW(Phdr)& part = info->dlpi_phdr[at];
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
    const std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    program.begin = program.begin == 0 ? begin : std::min(program.begin, begin);
    program.end = std::max(program.end, begin + part.p_memsz);
  }
  return 1;
}

int no_other_file(Dwfl_Module*, void**, const char*, Dwarf_Addr, const char*, const char*,
                  GElf_Word, char**) {
  return -1;
}

/// What follows if the text begins so.
bool skip(std::string_view& text, std::string_view beginning) {
  if (!text.starts_with(beginning)) return false;
  text.remove_prefix(beginning.size());
  return true;
}

std::string file_of(const char* path) {
  const std::string_view whole(path);
  const std::size_t slash = whole.rfind('/');
  return std::string(slash == std::string_view::npos ? whole : whole.substr(slash + 1));
}

}  // namespace

// The first part of the name is the namespace; what is local to a function belongs to whom the
// function belongs.
Owner owner_of(std::string_view symbol) {
  if (!skip(symbol, "_Z")) return Owner::user;
  constexpr std::size_t of_length = 3;  // as in L20__gthread_mutex_lock
  if (symbol.find("__gthread_") <= of_length) return Owner::standard;
  while (skip(symbol, "Z")) {
  }
  if (skip(symbol, "N")) {
    const std::size_t first = symbol.find_first_not_of("rVKRO");
    symbol.remove_prefix(std::min(first, symbol.size()));
  }
  if (symbol.starts_with("3caf") || symbol.starts_with("7mazurka")) return Owner::library;
  if (symbol.starts_with("St16_Sp_counted_base")) {
    // Whether others still hold it depends on who was faster.
    const bool asks = symbol.find("_M_get_use_count") != std::string_view::npos ||
                      symbol.find("_M_add_ref_lock") != std::string_view::npos;
    return asks ? Owner::standard : Owner::count;
  }
  if (symbol.starts_with("S") || symbol.starts_with("9__gnu_cxx")) return Owner::standard;
  return Owner::user;
}

struct CodeNames::Symbols {
  Dwfl_Callbacks callbacks{};
  Dwfl* session = nullptr;
  Dwfl_Module* program = nullptr;

  struct Function {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    Owner owner{};
  };
  std::vector<Function> functions;  // by address

  explicit Symbols(std::uintptr_t bias) {
    callbacks.find_elf = dwfl_build_id_find_elf;
    callbacks.find_debuginfo = no_other_file;
    session = dwfl_begin(&callbacks);
    if (session == nullptr) return;
    dwfl_report_begin(session);
    program = dwfl_report_elf(session, "program", "/proc/self/exe", -1, bias, false);
    dwfl_report_end(session, nullptr, nullptr);
    if (program != nullptr) collect_functions();
  }
  Symbols(const Symbols&) = delete;
  Symbols& operator=(const Symbols&) = delete;
  ~Symbols() {
    if (session != nullptr) dwfl_end(session);
  }

  void collect_functions() {
    const int count = dwfl_module_getsymtab(program);
    for (int at = 0; at < count; ++at) {
      GElf_Sym symbol;
      GElf_Addr address = 0;
      const char* const name =
          dwfl_module_getsym_info(program, at, &symbol, &address, nullptr, nullptr, nullptr);
      if (name == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_size == 0) {
        continue;
      }
      functions.push_back({address, address + symbol.st_size, owner_of(name)});
    }
    std::sort(functions.begin(), functions.end(),
              [](const Function& one, const Function& other) { return one.begin < other.begin; });
  }
  [[nodiscard]] Owner owner_at(std::uintptr_t code) const {
    const auto after = std::upper_bound(
        functions.begin(), functions.end(), code,
        [](std::uintptr_t address, const Function& one) { return address < one.begin; });
    if (after == functions.begin() || code >= after[-1].end) return Owner::library;
    return after[-1].owner;
  }
};

CodeNames::CodeNames() {
  Program program;
  dl_iterate_phdr(take_program, &program);
  begin_ = program.begin;
  owners_.resize(program.end - program.begin);
  symbols_ = std::make_unique<Symbols>(program.bias);
}

CodeNames::~CodeNames() = default;

Owner CodeNames::look_up(std::uintptr_t code) {
  const Owner owner = symbols_->owner_at(code - 1);  // a call returns behind it
  owners_[code - begin_] = static_cast<std::uint8_t>(owner);
  return owner;
}

std::string CodeNames::place(std::uintptr_t code) const {
  // Not every compiler writes down which part of the debug information an address belongs to, so
  // all parts are asked; it is done for findings alone.
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = nullptr;
  while (symbols_->program != nullptr &&
         (unit = dwfl_module_nextcu(symbols_->program, unit, &bias)) != nullptr) {
    Dwarf_Line* const line = dwarf_getsrc_die(unit, code - 1 - bias);
    const char* const file = line == nullptr ? nullptr : dwarf_linesrc(line, nullptr, nullptr);
    int number = 0;
    if (file == nullptr || dwarf_lineno(line, &number) != 0) continue;
    return file_of(file) + ":" + std::to_string(number);
  }
  return "a place that has no line";
}

std::string CodeNames::variable(std::uintptr_t address) const {
  if (symbols_->program == nullptr) return {};
  GElf_Off offset = 0;
  GElf_Sym symbol;
  const char* const name =
      dwfl_module_addrinfo(symbols_->program, address, &offset, &symbol, nullptr, nullptr, nullptr);
  if (name == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || offset >= symbol.st_size) {
    return {};
  }
  int status = 0;
  char* const text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string readable = status == 0 ? text : name;
  std::free(text);
  return readable;
}

}  // namespace mazurka::caf
