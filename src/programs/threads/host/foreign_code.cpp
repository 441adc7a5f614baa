#include "programs/threads/host/foreign_code.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "programs/threads/host/elf_file.hpp"
#include "programs/threads/host/machine_code.hpp"
#include "programs/threads/x86_instructions.hpp"

namespace mazurka::threads {

namespace {

/// Libraries without which hardly any program is. What they do with threads is known to us.
bool belongs_to_every_program(std::string_view name) {
  constexpr std::array usual{"ld-linux",   "ld64",        "libc.so",    "libm.so",  "libdl.so",
                             "librt.so",   "libpthread.", "libstdc++.", "libgcc_s", "libatomic",
                             "libubsan",   "libresolv.",  "libutil.",   "libc++.",  "libc++abi",
                             "libunwind.", "linux-vdso",  "libmvec.",   "libnss_",  "libmazurka-"};
  return std::any_of(usual.begin(), usual.end(),
                     [&](std::string_view start) { return name.starts_with(start); });
}

bool is_about_threads(std::string_view name) {
  constexpr std::array starts{"pthread_mutex",  "pthread_cond", "pthread_rwlock",
                              "pthread_spin",   "pthread_once", "pthread_barrier",
                              "pthread_create", "sem_",         "mtx_",
                              "cnd_",           "thrd_",        "call_once"};
  return std::any_of(starts.begin(), starts.end(),
                     [&](std::string_view start) { return name.starts_with(start); });
}

bool is_about_memory(std::string_view name) {
  constexpr std::array names{"malloc", "calloc", "realloc",        "free",  "aligned_alloc",
                             "mmap",   "sbrk",   "posix_memalign", "_Znwm", "_Znam",
                             "_ZdlPv", "_ZdaPv", "_ZdlPvm",        "strdup"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

class Reader {
 public:
  explicit Reader(const std::string& path) : file_(path) {}

  void name_function(std::uint64_t address, ForeignCode& code) {
    code.function = function_at(address).name;
  }

  void look_at(ForeignCode& code) {
    file_.for_each_section([&](Elf_Scn* section, const GElf_Shdr& header) {
      if (header.sh_type == SHT_DYNSYM) look_at_imports(section, header, code);
    });
    file_.for_each_section([&](Elf_Scn* section, const GElf_Shdr& header) {
      if (header.sh_type == SHT_PROGBITS && (header.sh_flags & SHF_EXECINSTR) != 0) {
        look_at_instructions(section, header, code);
      }
    });
  }

 private:
  void look_at_imports(Elf_Scn* section, const GElf_Shdr& header, ForeignCode& code) {
    file_.for_each_symbol(section, header, [&](const GElf_Sym& symbol, std::string_view name) {
      if (symbol.st_shndx != SHN_UNDEF) return;
      if (name.starts_with("__tsan_")) code.instrumented = true;
      if (name == "__tsan_atomic128_load") loads_of_16_bytes_ = true;
      if (is_about_threads(name)) code.uses_threads = true;
      if (is_about_memory(name)) code.allocates = true;
    });
  }

  void look_at_instructions(Elf_Scn* section, const GElf_Shdr& header, ForeignCode& code) {
    if (code.has_atomics) return;
    const std::span<const std::uint8_t> bytes = ElfFile::bytes_of(section);
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t found = first_atomic(bytes.subspan(at), !loads_of_16_bytes_);
      if (found == std::string::npos) return;
      const Found function = function_at(header.sh_addr + at + found);
      at += found;
      if (is_of_test_framework(function.name)) {
        at = function.end - header.sh_addr;
        continue;
      }
      code.has_atomics = true;
      code.function = function.name;
      return;
    }
  }

  struct Found {
    std::string name;
    std::uint64_t end = 0;
  };
  Found function_at(std::uint64_t address) {
    Found found;
    file_.for_each_section([&](Elf_Scn* section, const GElf_Shdr& header) {
      if (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM) return;
      file_.for_each_symbol(section, header, [&](const GElf_Sym& symbol, std::string_view name) {
        if (GELF_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) return;
        if (address - symbol.st_value >= symbol.st_size) return;
        found = {std::string(name), symbol.st_value + symbol.st_size};
      });
    });
    return found;
  }

  ElfFile file_;
  bool loads_of_16_bytes_ = false;  // clang leaves the load there, too, after its call of the hook
};

/// What of a module is not seen and may order what others do.
void add_hidden_code(const std::string& path, std::uint64_t base, std::vector<std::uint64_t>& all) {
  std::vector<FunctionCode> functions = functions_of(path);
  std::erase_if(functions, [](const FunctionCode& one) {
    return is_of_compiler(one.name) || is_of_test_framework(one.name);
  });
  const bool orders = std::any_of(functions.begin(), functions.end(),
                                  [](const FunctionCode& one) { return !one.atomics.empty(); });
  if (!orders) return;
  const auto add = [&](std::uint64_t address) { all.push_back(base + address); };
  for (const FunctionCode& one : functions) {
    std::for_each(one.atomics.begin(), one.atomics.end(), add);
    // What is made of templates of the C++ library orders nothing but by its atomic operations.
    if (!one.is_unseen() || is_of_standard_library(one.name)) continue;
    if (!one.name.empty()) add(one.begin);
    std::for_each(one.returns.begin(), one.returns.end(), add);
  }
}

}  // namespace

#if defined(__aarch64__)

// Every instruction has four bytes. Load-exclusive and store-exclusive, compare-and-swap, and
// load-acquire and store-release are one group; atomic additions and swaps are another.
std::size_t first_atomic(std::span<const std::uint8_t> code, bool wide_ones) {
  for (std::size_t at = 0; at + 4 <= code.size(); at += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, code.data() + at, 4);
    const bool exclusive = (word & 0x3f000000U) == 0x08000000U;
    const bool operation = (word & 0x3f200c00U) == 0x38200000U;
    // The look at a static variable's guard is a load-acquire, in instrumented code too.
    const bool only_ordered = exclusive && (word & 0x00a00000U) == 0x00800000U;
    const bool wide = (word & 0xbfa00000U) == 0x88200000U;  // of a pair of registers
    if (wide && !wide_ones) continue;
    if ((exclusive && !only_ordered) || operation) return at;
  }
  return std::string::npos;
}

#else

// Instructions with the prefix `lock`, and exchanges with memory, which need none. A locked
// operation that adds nothing to the top of the stack is a fence.
std::size_t first_atomic(std::span<const std::uint8_t> code, bool wide_ones) {
  for (std::size_t at = 0; at < code.size();) {
    const std::optional<X86Instruction> found = x86_instruction(code.subspan(at));
    if (!found.has_value()) {
      ++at;  // data between functions: instructions are found again after a few
      continue;
    }
    const bool exchange =
        found->map == 0 && (found->opcode == 0x86 || found->opcode == 0x87) && found->in_memory;
    const bool wide = found->map == 1 && found->opcode == 0xc7;
    const bool fence = found->map == 0 && found->opcode == 0x83 && found->on_stack() &&
                       code[at + found->length - 1] == 0;
    if ((exchange || (found->locked && found->in_memory && !fence)) && (wide_ones || !wide)) {
      return at;
    }
    at += found->length;
  }
  return std::string::npos;
}

#endif

std::string ForeignCode::text() const {
  const std::string builder = " with mazurka-cc or mazurka-c++";
  // Where atomic operations are calls of small functions, those say nothing of who calls them.
  const bool known = !function.empty() && !function.starts_with("__aarch64_");
  const std::string where = known ? " (in `" + function + "`)" : "";
  if (!library) {
    return "the program has atomic operations that are not seen" + where +
           ": inline assembly, or a library in binary form; build that" + builder;
  }
  if (has_atomics) {
    return name + " is not built" + builder +
           ": its own accesses to memory and atomic operations are not seen" + where;
  }
  return name + " is not built" + builder + ": its own accesses to memory are not seen";
}

std::vector<ForeignCode> foreign_code(const std::vector<RawModule>& modules) {
  std::vector<ForeignCode> all;
  for (const RawModule& module : modules) {
    ForeignCode code;
    code.name = std::filesystem::path(module.path).filename().string();
    if (code.name.empty() || belongs_to_every_program(code.name)) continue;
    code.library = &module != modules.data();
    Reader(module.path).look_at(code);
    if (!code.library) code.instrumented = true;  // it was made with our runtime
    if (code.matters()) all.push_back(std::move(code));
  }
  return all;
}

std::vector<std::uint64_t> hidden_code(const std::vector<RawModule>& modules) {
  std::vector<std::uint64_t> all;
  for (const RawModule& module : modules) {
    const std::string name = std::filesystem::path(module.path).filename().string();
    if (name.empty() || belongs_to_every_program(name)) continue;
    add_hidden_code(module.path, module.base, all);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

Launch watching_hidden_code(Launch launch, const Reply& reply) {
  const auto is_race = [](const RawFinding& one) {
    return one.finding.kind == FindingKind::data_race;
  };
  if (std::none_of(reply.findings.begin(), reply.findings.end(), is_race)) return launch;
  launch.request.hidden = hidden_code(reply.modules);
  for (std::uint64_t& place : launch.request.hidden) place -= reply.modules.front().base;
  return launch;
}

ForeignCode hidden_code_at(const std::vector<RawModule>& modules, std::uint64_t address) {
  ForeignCode code;
  const RawModule* at = nullptr;
  for (const RawModule& module : modules) {
    if (module.base <= address && (at == nullptr || module.base > at->base)) at = &module;
  }
  if (at == nullptr) return code;
  code.name = std::filesystem::path(at->path).filename().string();
  code.library = at->path != modules.front().path;
  code.has_atomics = true;
  Reader(at->path).name_function(address - at->base, code);
  return code;
}

}  // namespace mazurka::threads
