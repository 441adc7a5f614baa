// The runtime never calls what the program defines.
//
// A program may have functions of its own that are called `write`, `read`, `open` or `time`, and
// may replace operator new. The dynamic linker lets such a definition take the place of the C
// library's for everybody, this library included. So before anything of the program runs, every
// function that this library calls is looked up once more, without the program: its own first, then
// those of the libraries behind it.
//
// What it allocates it takes from the C library's heap without a detour, and it looks at the clock
// without the functions that the program may bring.
#include <dlfcn.h>
#include <link.h>
#include <sys/syscall.h>
#include <time.h>

#include <cstdint>
#include <new>

#include "programs/threads/runtime/engine.hpp"
#include "programs/threads/runtime/kernel.hpp"
#include "programs/threads/runtime/native.hpp"

namespace {

#if defined(__aarch64__)
constexpr std::uint32_t jump_slot = R_AARCH64_JUMP_SLOT;
constexpr std::uint32_t global_data = R_AARCH64_GLOB_DAT;
#else
constexpr std::uint32_t jump_slot = R_X86_64_JUMP_SLOT;
constexpr std::uint32_t global_data = R_X86_64_GLOB_DAT;
#endif

constexpr long readable = 1;
constexpr long writable = 2;
constexpr std::uintptr_t page = 4096;

struct Library {
  std::uintptr_t base = 0;
  std::uintptr_t protected_begin = 0;  // written by the dynamic linker, and not to be any more
  std::uintptr_t protected_end = 0;
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  struct Relocations {
    const ElfW(Rela) * first = nullptr;
    std::size_t size = 0;  // in bytes
  };
  Relocations data;
  Relocations calls;
};

// Some linkers have put addresses into the table, others leave offsets there.
std::uintptr_t address_in(const Library& library, std::uintptr_t value) {
  return value < library.base ? library.base + value : value;
}

void read_table(Library& library, const ElfW(Dyn) * table) {
  for (const ElfW(Dyn)* entry = table; entry->d_tag != DT_NULL; ++entry) {
    const std::uintptr_t where = address_in(library, entry->d_un.d_ptr);
    switch (entry->d_tag) {
      case DT_SYMTAB: library.symbols = reinterpret_cast<const ElfW(Sym)*>(where); break;
      case DT_STRTAB: library.names = reinterpret_cast<const char*>(where); break;
      case DT_RELA: library.data.first = reinterpret_cast<const ElfW(Rela)*>(where); break;
      case DT_RELASZ: library.data.size = entry->d_un.d_val; break;
      case DT_JMPREL: library.calls.first = reinterpret_cast<const ElfW(Rela)*>(where); break;
      case DT_PLTRELSZ: library.calls.size = entry->d_un.d_val; break;
      default: break;
    }
  }
}

// If this is the library that this code is in, takes down where everything is.
int look_at(dl_phdr_info* info, std::size_t, void* out) {
  const auto own = reinterpret_cast<std::uintptr_t>(&look_at);
  bool here = false;
  for (int at = 0; at < info->dlpi_phnum; ++at) {
    const ElfW(Phdr)& header = info->dlpi_phdr[at];
    here = here ||
           (header.p_type == PT_LOAD && own - (info->dlpi_addr + header.p_vaddr) < header.p_memsz);
  }
  if (!here) return 0;
  Library& library = *static_cast<Library*>(out);
  library.base = info->dlpi_addr;
  for (int at = 0; at < info->dlpi_phnum; ++at) {
    const ElfW(Phdr)& header = info->dlpi_phdr[at];
    const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_DYNAMIC) {
      read_table(library, reinterpret_cast<const ElfW(Dyn)*>(begin));
    } else if (header.p_type == PT_GNU_RELRO) {
      library.protected_begin = begin & ~(page - 1);
      library.protected_end = (begin + header.p_memsz) & ~(page - 1);
    }
  }
  return 1;
}

// What the function should be; null: leave it as it is.
void* without_the_program(const Library& library, const ElfW(Sym) & symbol) {
  if (symbol.st_shndx != SHN_UNDEF) return reinterpret_cast<void*>(library.base + symbol.st_value);
  return dlsym(RTLD_NEXT, library.names + symbol.st_name);
}

void bind(const Library& library, const Library::Relocations& relocations) {
  for (std::size_t at = 0; at < relocations.size / sizeof(ElfW(Rela)); ++at) {
    const ElfW(Rela)& one = relocations.first[at];
    const std::uint32_t type = ELF64_R_TYPE(one.r_info);
    const ElfW(Sym)& symbol = library.symbols[ELF64_R_SYM(one.r_info)];
    if (type != jump_slot && (type != global_data || ELF64_ST_TYPE(symbol.st_info) != STT_FUNC)) {
      continue;
    }
    auto** slot = reinterpret_cast<void**>(library.base + one.r_offset);
    void* wanted = without_the_program(library, symbol);
    if (wanted != nullptr && *slot != wanted) *slot = wanted;
  }
}

__attribute__((constructor(101))) void bind_without_the_program() {
  const mazurka::threads::EngineScope scope;  // what is allocated meanwhile is not the program's
  Library library;
  if (dl_iterate_phdr(look_at, &library) == 0 || library.symbols == nullptr) return;
  const auto begin = static_cast<long>(library.protected_begin);
  const auto size = static_cast<long>(library.protected_end - library.protected_begin);
  if (size > 0) mazurka::threads::call_kernel(SYS_mprotect, begin, size, readable | writable);
  bind(library, library.data);
  bind(library, library.calls);
  if (size > 0) mazurka::threads::call_kernel(SYS_mprotect, begin, size, readable);
}

}  // namespace

// --- operator new and the clock of the engine ----------------------------------------------------

#define MAZURKA_BINDING extern "C" __attribute__((visibility("hidden")))

MAZURKA_BINDING void* mazurka_own_new(std::size_t size) asm("_Znwm");
MAZURKA_BINDING void* mazurka_own_new(std::size_t size) {
  void* block = __libc_malloc(size == 0 ? 1 : size);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
MAZURKA_BINDING void* mazurka_own_new_array(std::size_t size) asm("_Znam");
MAZURKA_BINDING void* mazurka_own_new_array(std::size_t size) { return mazurka_own_new(size); }

/// std::chrono::steady_clock::now()
MAZURKA_BINDING std::int64_t mazurka_own_now() asm("_ZNSt6chrono3_V212steady_clock3nowEv");
MAZURKA_BINDING std::int64_t mazurka_own_now() {
  constexpr std::int64_t second = 1'000'000'000;
  timespec now{};
  mazurka::threads::native().clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * second + now.tv_nsec;
}
