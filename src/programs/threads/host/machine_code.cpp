#include "programs/threads/host/machine_code.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <set>
#include <span>
#include <string_view>

#include "programs/threads/host/elf_file.hpp"
#include "programs/threads/x86_instructions.hpp"

namespace mazurka::threads {

namespace {

using Code = std::span<const std::uint8_t>;

bool is_call(const X86Instruction& one) {
  return one.map == 0 && (one.opcode == 0xe8 || (one.opcode == 0xff && (one.reg & 7U) == 2));
}

/// A call or jump whose target is told, or whose target stands at an address that is.
bool goes_elsewhere(const X86Instruction& one) {
  if (one.map != 0) return false;
  if (one.opcode == 0xe8 || one.opcode == 0xe9) return true;
  const unsigned which = one.reg & 7U;
  return one.opcode == 0xff && one.in_memory && which >= 2 && which <= 5;
}

/// Has an operand in memory, and does something with what is there.
bool uses_memory(const X86Instruction& one) {
  if (!one.in_memory || one.of_thread || goes_elsewhere(one)) return false;
  if (one.map == 0) return one.opcode != 0x8d;  // lea
  const bool hint = one.opcode == 0x0d || (one.opcode >= 0x18 && one.opcode <= 0x1f);
  return one.map != 1 || one.vector || !hint;
}

bool sets_frame(const X86Instruction& one) {
  if (one.map != 0 || one.direct == X86Instruction::none) return false;
  return (one.opcode == 0x89 && one.direct == 5 && one.reg == 4) ||
         (one.opcode == 0x8b && one.direct == 4 && one.reg == 5);
}

// Where our own functions stand that are linked into programs (openmp/CMakeLists.txt).
constexpr std::string_view code_of_ours = "mazurka_code";

struct Range {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

class Scan {
 public:
  explicit Scan(const std::string& path) : file_(path) {
    find_constants();
    find_hooks();
    find_functions();
    find_assembly();
  }

  std::vector<FunctionCode> all() {
    for_each_code([&](std::uint64_t address, Code code, const std::string& name) {
      if (name.starts_with(".plt") || name == ".init" || name == ".fini") return;
      if (name == code_of_ours) return;
      look_through(address, code);
    });
    return std::move(found_);
  }

 private:
  template <typename Visitor>
  void for_each_code(const Visitor& visit) {
    file_.for_each_section([&](Elf_Scn* section, const GElf_Shdr& header) {
      if (header.sh_type != SHT_PROGBITS || (header.sh_flags & SHF_EXECINSTR) == 0) return;
      visit(header.sh_addr, ElfFile::bytes_of(section), file_.name_of(header));
    });
  }

  /// Where nobody writes once the program has begun: the rest of its memory may change.
  void find_constants() {
    file_.for_each_segment([&](const GElf_Phdr& header) {
      const bool fixed = header.p_type == PT_GNU_RELRO ||
                         (header.p_type == PT_LOAD && (header.p_flags & PF_W) == 0);
      if (fixed) constants_.push_back({header.p_vaddr, header.p_vaddr + header.p_memsz});
    });
  }

  void find_hooks() {
    file_.for_each_import([&](std::uint64_t address, std::string_view name) {
      if (name.starts_with("__tsan_")) slots_.insert(address);
      if (name == "__tsan_atomic128_load") loads_of_16_bytes_ = true;
    });
    // The stubs that jump to what stands in a slot, with or without a mark for what is jumped to.
    for_each_code([&](std::uint64_t address, Code code, const std::string& name) {
      if (!name.starts_with(".plt")) return;
      for_each_instruction(code, [&](std::size_t at, const X86Instruction& one) {
        const std::uint64_t target = address + at + one.length + to_address(one.displacement);
        if (!goes_elsewhere(one) || !one.relative || !slots_.contains(target)) return;
        for (const std::uint64_t mark : {0, 4}) stubs_.insert(address + at - mark);
      });
    });
  }

  void find_functions() {
    std::vector<FunctionCode> all;
    file_.for_each_section([&](Elf_Scn* section, const GElf_Shdr& header) {
      if (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM) return;
      if (header.sh_type == SHT_SYMTAB) has_names_ = true;
      file_.for_each_symbol(section, header, [&](const GElf_Sym& symbol, std::string_view name) {
        const bool function = GELF_ST_TYPE(symbol.st_info) == STT_FUNC;
        if (!function || symbol.st_shndx == SHN_UNDEF || symbol.st_size == 0) return;
        FunctionCode& one = all.emplace_back();
        one.name = name;
        one.begin = symbol.st_value;
        one.end = symbol.st_value + symbol.st_size;
      });
    });
    std::stable_sort(all.begin(), all.end(), [](const FunctionCode& one, const FunctionCode& next) {
      return one.begin < next.begin;
    });
    for (FunctionCode& one : all) {
      if (named_.empty() || one.begin >= named_.back().end) named_.push_back(std::move(one));
    }
  }

  /// Each entry tells how far before itself a piece begins, and where it ends, from the next field.
  void find_assembly() {
    file_.for_each_section([&](Elf_Scn* section, const GElf_Shdr& header) {
      if (file_.name_of(header) != ".mazurka_asm") return;
      const Code list = ElfFile::bytes_of(section);
      for (std::size_t at = 0; at + 8 <= list.size(); at += 8) {
        std::int32_t offsets[2];
        std::memcpy(offsets, list.data() + at, sizeof offsets);
        const std::uint64_t here = header.sh_addr + at;
        assembly_.push_back({here + to_address(offsets[0]), here + 4 + to_address(offsets[1])});
      }
    });
    std::sort(assembly_.begin(), assembly_.end(),
              [](const Range& one, const Range& next) { return one.begin < next.begin; });
  }
  [[nodiscard]] bool is_assembly(std::uint64_t address) const {
    const auto next =
        std::upper_bound(assembly_.begin(), assembly_.end(), address,
                         [](std::uint64_t wanted, const Range& one) { return wanted < one.begin; });
    return next != assembly_.begin() && address < std::prev(next)->end;
  }

  template <typename Visitor>
  static void for_each_instruction(Code code, const Visitor& visit) {
    for (std::size_t at = 0; at < code.size();) {
      const std::optional<X86Instruction> found = x86_instruction(code.subspan(at));
      if (found.has_value()) visit(at, *found);
      at += found.has_value() ? found->length : 1;
    }
  }

  /// The functions of a section, and what lies between them.
  void look_through(std::uint64_t address, Code code) {
    const std::uint64_t end = address + code.size();
    std::uint64_t at = address;
    for (FunctionCode& function : named_) {
      if (function.begin < at || function.begin >= end) continue;
      look_between(at, function.begin, address, code);
      function.end = std::min(function.end, end);
      at = function.end;
      look_at(function, code.subspan(function.begin - address, function.end - function.begin));
      found_.push_back(std::move(function));
    }
    look_between(at, end, address, code);
  }
  void look_between(std::uint64_t begin, std::uint64_t end, std::uint64_t address, Code code) {
    // Beside named functions that is how programs start and end, and what keeps functions apart.
    if (begin == end || has_names_) return;
    FunctionCode rest;
    rest.begin = begin;
    rest.end = end;
    look_at(rest, code.subspan(begin - address, end - begin));
    if (!rest.accesses.empty() || rest.calls_hooks) found_.push_back(std::move(rest));
  }

  void look_at(FunctionCode& function, Code code) {
    // What was split off goes on with the frame of the rest.
    bool has_frame = function.name.find(".cold") != std::string::npos;
    for_each_instruction(code, [&](std::size_t at, const X86Instruction& one) {
      const std::uint64_t here = function.begin + at;
      const std::uint64_t next = here + one.length;
      if (sets_frame(one)) has_frame = true;
      if (goes_elsewhere(one)) {
        const std::uint64_t target = next + to_address(one.displacement);
        const bool hook =
            one.in_memory ? one.relative && slots_.contains(target) : stubs_.contains(target);
        if (hook) function.calls_hooks = true;
      }
      if (is_call(one)) function.returns.push_back(next);
      const bool wide = one.map == 1 && one.opcode == 0xc7;
      if (is_atomic(one, code.subspan(at)) && !(wide && loads_of_16_bytes_)) {
        function.atomics.push_back(here);
      }
      if (uses_memory(one) && others_may_see(one, next, has_frame)) {
        function.accesses.push_back(here);
        if (is_assembly(here)) function.assembly.push_back(here);
      }
    });
  }

  static bool is_atomic(const X86Instruction& one, Code code) {
    if (!one.in_memory) return false;
    const bool exchange = one.map == 0 && (one.opcode == 0x86 || one.opcode == 0x87);
    const bool fence =
        one.map == 0 && one.opcode == 0x83 && one.on_stack() && code[one.length - 1] == 0;
    return exchange || (one.locked && !fence);
  }

  [[nodiscard]] bool others_may_see(const X86Instruction& one, std::uint64_t next,
                                    bool has_frame) const {
    if (one.on_stack() || (has_frame && one.base == 5)) return false;
    const bool fixed = one.relative || one.base == X86Instruction::none;
    return !fixed || !is_constant(to_address(one.displacement) + (one.relative ? next : 0));
  }
  [[nodiscard]] bool is_constant(std::uint64_t address) const {
    return std::any_of(constants_.begin(), constants_.end(),
                       [&](const Range& one) { return address >= one.begin && address < one.end; });
  }
  static std::uint64_t to_address(std::int32_t displacement) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(displacement));
  }

  ElfFile file_;
  std::vector<Range> constants_;
  std::vector<Range> assembly_;
  std::set<std::uint64_t> slots_;   // where the hooks' addresses stand
  std::set<std::uint64_t> stubs_;   // what jumps there
  bool loads_of_16_bytes_ = false;  // clang leaves the load there, too, after its call of the hook
  bool has_names_ = false;          // not only those of what is exported
  std::vector<FunctionCode> named_;
  std::vector<FunctionCode> found_;
};

}  // namespace

std::vector<FunctionCode> functions_of(const std::string& path) {
#if defined(__x86_64__)
  return Scan(path).all();
#else
  (void)path;
  return {};
#endif
}

std::vector<std::uint64_t> unseen_accesses(const std::string& path) {
  std::vector<std::uint64_t> all;
  for (const FunctionCode& one : functions_of(path)) {
    if (one.name.empty() || is_of_compiler(one.name) || is_of_test_framework(one.name) ||
        is_of_standard_library(one.name)) {
      continue;
    }
    // An atomic instruction among hooks is inline assembly as well.
    const auto& unseen = one.calls_hooks ? one.assembly : one.accesses;
    all.insert(all.end(), unseen.begin(), unseen.end());
    all.insert(all.end(), one.atomics.begin(), one.atomics.end());
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

bool is_of_compiler(const std::string& function) {
  constexpr std::array names{"_start",
                             "_init",
                             "_fini",
                             "deregister_tm_clones",
                             "register_tm_clones",
                             "__do_global_dtors_aux",
                             "frame_dummy",
                             "_dl_relocate_static_pie",
                             "__libc_csu_init",
                             "__libc_csu_fini",
                             "__cpu_indicator_init",
                             "__stack_chk_fail_local",
                             "atexit",
                             "at_quick_exit",
                             "pthread_atfork",
                             "__pthread_atfork",
                             "__clang_call_terminate"};
  const bool virtual_thunk = function.starts_with("_ZTv") || function.starts_with("_ZTc");
  return virtual_thunk || std::find(names.begin(), names.end(), function) != names.end();
}

bool is_of_standard_library(const std::string& function) {
  constexpr std::array starts{"_ZSt",  "_ZNSt",         "_ZNKSt",        "_ZNSo",
                              "_ZNSs", "_ZN9__gnu_cxx", "_ZNK9__gnu_cxx"};
  const bool is_users = function.find("EUl") != std::string::npos;  // a lambda's code may be in it
  return !is_users && std::any_of(starts.begin(), starts.end(),
                                  [&](const char* start) { return function.starts_with(start); });
}

bool is_of_test_framework(const std::string& function) {
  constexpr std::array parts{
      "N7testing",           "NK7testing", "N5Catch", "NK5Catch", "DeleteThreadLocalValue",
      "_GLOBAL__sub_I_gtest"};
  return std::any_of(parts.begin(), parts.end(),
                     [&](const char* part) { return function.find(part) != std::string::npos; });
}

}  // namespace mazurka::threads
