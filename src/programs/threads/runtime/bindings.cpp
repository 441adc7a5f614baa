// The runtime never calls what the program defines.
//
// A program may have functions of its own that are called `write`, `read`, `open` or `time`, and
// may replace operator new. The dynamic linker lets such a definition take the place of the C
// library's for everybody, this library included. So before anything of the program runs, every
// function that this library calls is looked up once more, without the program: its own first, then
// those of the libraries behind it. Memory it copies, fills and compares with the C library's
// functions: the compiler calls them for nearly every list, and hooks would be in the way.
//
// What it allocates it takes from the C library's heap (hooks/memory.cpp), and it looks at the
// clock without the functions that the program may bring.
#include <dlfcn.h>
#include <link.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "programs/threads/runtime/machine/engine.hpp"
#include "programs/threads/runtime/machine/imports.hpp"
#include "programs/threads/runtime/machine/kernel.hpp"
#include "programs/threads/runtime/machine/native.hpp"

namespace {

using mazurka::threads::ImportTable;

bool is_for_plain_memory(std::string_view function) {
  static constexpr std::string_view all[] = {"memcpy", "memmove", "memset", "memcmp", "bcmp"};
  return std::find(std::begin(all), std::end(all), function) != std::end(all);
}

// If this is the library that this code is in, has it call what it should.
int bind(dl_phdr_info* info, std::size_t, void*) {
  ImportTable library(*info);
  if (!library.contains(reinterpret_cast<const void*>(&bind))) return 0;
  library.visit([](const ImportTable::Import& import) {
    const bool has_own = import.own != nullptr && !is_for_plain_memory(import.name);
    void* wanted = has_own ? import.own : dlsym(RTLD_NEXT, import.name);
    if (wanted != nullptr && *import.slot != wanted) *import.slot = wanted;
  });
  return 1;
}

__attribute__((constructor(101))) void bind_without_the_program() {
  const mazurka::threads::EngineScope scope;  // what is allocated meanwhile is not the program's
  dl_iterate_phdr(bind, nullptr);
}

}  // namespace

// --- the clock of the engine ---------------------------------------------------------------------

#define MAZURKA_BINDING extern "C" __attribute__((visibility("hidden")))

/// std::chrono::steady_clock::now()
MAZURKA_BINDING std::int64_t mazurka_own_now() asm("_ZNSt6chrono3_V212steady_clock3nowEv");
MAZURKA_BINDING std::int64_t mazurka_own_now() {
  constexpr std::int64_t second = 1'000'000'000;
  timespec now{};
  mazurka::threads::native().clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * second + now.tv_nsec;
}
