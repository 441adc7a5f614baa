// The heap of the program under test.
//
// The engine and the C library keep to the C library's own heap; everything else gets blocks from
// the slot of the process that asks (memory.hpp), so that addresses do not depend on the schedule.
#include <errno.h>
#include <malloc.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <new>

#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/teller.hpp"

using mazurka::threads::checking;
using mazurka::threads::EngineScope;
using mazurka::threads::heaps;
using mazurka::threads::Heaps;
using mazurka::threads::in_c_library;
using mazurka::threads::in_zone;
using mazurka::threads::inside_engine;
using mazurka::threads::runtime;
using mazurka::threads::Teller;
using mazurka::threads::watches_written_bytes;

// Where the linker has put this library.
extern "C" {
extern __attribute__((visibility("hidden"))) char __ehdr_start[];
extern __attribute__((visibility("hidden"))) char etext[];
}

namespace {

// What the runtime's own code allocates, whoever it is at work for, is no block of the program's.
bool is_of_runtime(const void* code) {
  return code >= static_cast<const void*>(__ehdr_start) && code < static_cast<const void*>(etext);
}

bool belongs_to_program(const void* caller) { return !inside_engine && !in_c_library(caller); }

bool from_program(const void* block) { return in_zone(reinterpret_cast<std::uintptr_t>(block)); }

// The heap of a process is as large as it is because of how we lay out memory: a program that needs
// more is not at fault. What no machine has is refused as it would be.
void* allocate(std::size_t size, std::size_t alignment) {
  const std::size_t slot = checking ? mazurka::index(runtime->current().id) : 0;
  void* block = nullptr;
  {
    EngineScope scope;  // filling it is no access of the program's
    block = heaps.allocate(slot, size, alignment);
    if (block == nullptr && checking && size <= PTRDIFF_MAX) runtime->heap.run_out_of_memory();
    if (block != nullptr && checking && heaps.used_again())
      runtime->heap.forget_objects(block, size);
  }
  if (block == nullptr) {
    errno = ENOMEM;
    return nullptr;
  }
  if (checking) runtime->current().watch.progress();
  if (checking && watches_written_bytes) {
    runtime->written.begin(reinterpret_cast<std::uintptr_t>(block), size);
  }
  if (checking && runtime->heap.notes_allocations()) runtime->heap.note_allocation(block);
  return block;
}

// The program asks for it at `caller`, and gets what nobody has written yet.
void* allocate_for(const void* caller, std::size_t size, std::size_t alignment = 16) {
  void* block = allocate(size, alignment);
  if (block != nullptr && Teller(caller).counts()) runtime->heap.after_allocation(block, caller);
  return block;
}

// A process frees the block.
void give_back(void* block) {
  EngineScope scope;
  heaps.release(block, checking ? mazurka::index(runtime->current().id) : 0);
}

}  // namespace

MAZURKA_HOOK void* malloc(std::size_t size) {
  const void* const caller = __builtin_return_address(0);
  return belongs_to_program(caller) ? allocate_for(caller, size) : __libc_malloc(size);
}

namespace {

void* new_for(const void* caller, std::size_t size, std::size_t alignment, const char* name) {
  void* block = nullptr;
  if (belongs_to_program(caller) && !is_of_runtime(caller)) {
    block = allocate_for(caller, size, alignment);
  } else if (alignment <= 16) {
    block = __libc_malloc(std::max<std::size_t>(size, 1));
  } else {
    block = __libc_memalign(alignment, std::max<std::size_t>(size, 1));
  }
  if (block != nullptr) return block;
  // All forms take the alignment, and how they fail, in the places where these stand.
  static const std::nothrow_t none;
  if (std::strstr(name, "align") == nullptr) {
    return mazurka::threads::natively<void*>(name, size, &none);
  }
  return mazurka::threads::natively<void*>(name, size, alignment, &none);
}

// `checked`: called by the program itself, not by a library that may have synchronised unseen.
void release(void* block, const void* caller) {
  if (block == nullptr) return;
  if (!from_program(block)) {
    __libc_free(block);
    return;
  }
  if (mazurka::threads::scheduled()) {
    runtime->heap.before_free(block, mazurka::threads::in_program(caller) ? caller : nullptr);
  }
  give_back(block);
}

}  // namespace

MAZURKA_HOOK void free(void* block) { release(block, __builtin_return_address(0)); }

// operator new in all its forms. Where there is no memory the library's own knows what is to be
// done.
#define MAZURKA_NEW(name, alignment, ...)                                                    \
  MAZURKA_HOOK void* mazurka_##name(std::size_t size __VA_OPT__(, ) __VA_ARGS__) asm(#name); \
  MAZURKA_HOOK void* mazurka_##name(std::size_t size __VA_OPT__(, ) __VA_ARGS__) {           \
    const void* const caller = __builtin_return_address(0);                                  \
    return new_for(caller, size, alignment, #name);                                          \
  }
MAZURKA_NEW(_Znwm, 16)
MAZURKA_NEW(_Znam, 16)
MAZURKA_NEW(_ZnwmRKSt9nothrow_t, 16, const void*)
MAZURKA_NEW(_ZnamRKSt9nothrow_t, 16, const void*)
MAZURKA_NEW(_ZnwmSt11align_val_t, alignment, std::size_t alignment)
MAZURKA_NEW(_ZnamSt11align_val_t, alignment, std::size_t alignment)
MAZURKA_NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, alignment, std::size_t alignment, const void*)
MAZURKA_NEW(_ZnamSt11align_val_tRKSt9nothrow_t, alignment, std::size_t alignment, const void*)

// operator delete in all its forms: taken over to know who calls it.
#define MAZURKA_DELETE(name, ...)                                                      \
  MAZURKA_HOOK void mazurka_##name(void* block __VA_OPT__(, ) __VA_ARGS__) asm(#name); \
  MAZURKA_HOOK void mazurka_##name(void* block __VA_OPT__(, ) __VA_ARGS__) {           \
    release(block, __builtin_return_address(0));                                       \
  }
MAZURKA_DELETE(_ZdlPv)
MAZURKA_DELETE(_ZdaPv)
MAZURKA_DELETE(_ZdlPvm, std::size_t)
MAZURKA_DELETE(_ZdaPvm, std::size_t)
MAZURKA_DELETE(_ZdlPvSt11align_val_t, std::size_t)
MAZURKA_DELETE(_ZdaPvSt11align_val_t, std::size_t)
MAZURKA_DELETE(_ZdlPvmSt11align_val_t, std::size_t, std::size_t)
MAZURKA_DELETE(_ZdaPvmSt11align_val_t, std::size_t, std::size_t)

MAZURKA_HOOK void* calloc(std::size_t count, std::size_t size) {
  if (!belongs_to_program(__builtin_return_address(0))) return __libc_calloc(count, size);
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  void* block = allocate(bytes, 16);
  if (block == nullptr) return nullptr;
  Teller(__builtin_return_address(0)).write(block, bytes);
  EngineScope scope;
  std::memset(block, 0, bytes);
  return block;
}

namespace {

void* allocate_anew(void* old, std::size_t size, const void* caller) {
  if (old == nullptr) {
    return belongs_to_program(caller) ? allocate_for(caller, size) : __libc_malloc(size);
  }
  if (!from_program(old)) return __libc_realloc(old, size);
  if (mazurka::threads::scheduled()) {
    runtime->heap.before_free(old, mazurka::threads::in_program(caller) ? caller : nullptr);
  }
  void* block = allocate_for(caller, size);
  if (block == nullptr) return nullptr;
  const std::size_t copied = std::min<std::size_t>(size, Heaps::header(old).size);
  Teller(caller).write(block, copied);
  {
    EngineScope scope;
    std::memcpy(block, old, copied);
  }
  give_back(old);
  return block;
}

}  // namespace

MAZURKA_HOOK void* realloc(void* old, std::size_t size) {
  return allocate_anew(old, size, __builtin_return_address(0));
}
MAZURKA_HOOK void* reallocarray(void* old, std::size_t count, std::size_t size) noexcept {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return allocate_anew(old, bytes, __builtin_return_address(0));
}

MAZURKA_HOOK void* memalign(std::size_t alignment, std::size_t size) {
  const void* const caller = __builtin_return_address(0);
  if (!belongs_to_program(caller)) return __libc_memalign(alignment, size);
  return allocate_for(caller, size, alignment);
}
MAZURKA_HOOK void* valloc(std::size_t size) {
  const void* const caller = __builtin_return_address(0);
  const std::size_t page = mazurka::threads::page_size();
  return belongs_to_program(caller) ? allocate_for(caller, size, page)
                                    : __libc_memalign(page, size);
}
MAZURKA_HOOK void* pvalloc(std::size_t size) {
  const void* const caller = __builtin_return_address(0);
  const std::size_t page = mazurka::threads::page_size();
  size = (size + page - 1) / page * page;
  return belongs_to_program(caller) ? allocate_for(caller, size, page)
                                    : __libc_memalign(page, size);
}
MAZURKA_HOOK void* aligned_alloc(std::size_t alignment, std::size_t size) {
  const void* const caller = __builtin_return_address(0);
  if (!belongs_to_program(caller)) return __libc_memalign(alignment, size);
  return allocate_for(caller, size, alignment);
}
MAZURKA_HOOK int posix_memalign(void** where, std::size_t alignment, std::size_t size) {
  const void* const caller = __builtin_return_address(0);
  if (alignment % sizeof(void*) != 0 || !std::has_single_bit(alignment)) return EINVAL;
  void* const block = belongs_to_program(caller) ? allocate_for(caller, size, alignment)
                                                 : __libc_memalign(alignment, size);
  if (block == nullptr) return ENOMEM;
  Teller(caller).write(where, sizeof *where);
  *where = block;
  return 0;
}
MAZURKA_HOOK std::size_t malloc_usable_size(void* block) {
  if (block == nullptr) return 0;
  if (from_program(block)) return Heaps::header(block).size;
  // The C library keeps the size just before the block; its lowest bits are flags.
  return (static_cast<std::size_t*>(block)[-1] & ~std::size_t{7}) - sizeof(std::size_t);
}
