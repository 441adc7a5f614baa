// Plain memory accesses, as the compiler's instrumentation reports them.
#include <cstddef>

#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/machine/call_site.hpp"

using mazurka::threads::runtime;
using mazurka::threads::scheduled;

namespace {

inline void access_from_site(const void* address, std::size_t size, bool write, const void* code) {
  if (!scheduled()) return;
  runtime->accesses.plain(reinterpret_cast<std::uintptr_t>(address), size, write, code);
  if (mazurka::threads::watches_written_bytes && !write) [[unlikely]]
    runtime->written.read(reinterpret_cast<std::uintptr_t>(address), size, code);
}

inline void volatile_access(const void* address, std::size_t size, bool write, const void* code) {
  if (!scheduled()) return;
  runtime->accesses.volatile_one(reinterpret_cast<std::uintptr_t>(address), size, write, code);
}

// From a hook that has not noted its call site: that of an earlier one must not be taken for it.
inline void access(const void* address, std::size_t size, bool write, const void* code) {
  mazurka_call_site.stack_pointer = 0;
  access_from_site(address, size, write, code);
}

}  // namespace

#define MAZURKA_ACCESS(name, size, write)                \
  MAZURKA_FAR_HOOK(void, __tsan_##name, void* address) { \
    access(address, size, write, mazurka_caller);        \
  }
#define MAZURKA_SITE_ACCESS(name, size)                     \
  MAZURKA_SITE_HOOK(void, __tsan_##name, void* address) {   \
    access_from_site(address, size, false, mazurka_caller); \
  }
#define MAZURKA_VOLATILE_READ(name, size)                  \
  MAZURKA_SITE_HOOK(void, __tsan_##name, void* address) {  \
    volatile_access(address, size, false, mazurka_caller); \
  }
#define MAZURKA_VOLATILE_WRITE(name, size)                \
  MAZURKA_FAR_HOOK(void, __tsan_##name, void* address) {  \
    mazurka_call_site.stack_pointer = 0;                  \
    volatile_access(address, size, true, mazurka_caller); \
  }
#define MAZURKA_ACCESS_PC(name, size, write)                         \
  MAZURKA_FAR_HOOK(void, __tsan_##name, void* address, void* code) { \
    access(address, size, write, code);                              \
  }
#define MAZURKA_SIZED(size)                                                  \
  MAZURKA_SITE_ACCESS(read##size, size)                                      \
  MAZURKA_ACCESS(write##size, size, true)                                    \
  MAZURKA_SITE_ACCESS(unaligned_read##size, size)                            \
  MAZURKA_ACCESS(unaligned_write##size, size, true)                          \
  MAZURKA_VOLATILE_READ(volatile_read##size, size)                           \
  MAZURKA_VOLATILE_WRITE(volatile_write##size, size)                         \
  MAZURKA_VOLATILE_READ(unaligned_volatile_read##size, size)                 \
  MAZURKA_VOLATILE_WRITE(unaligned_volatile_write##size, size)               \
  MAZURKA_ACCESS_PC(read##size##_pc, size, false)                            \
  MAZURKA_ACCESS_PC(write##size##_pc, size, true)                            \
  MAZURKA_FAR_HOOK(void, __tsan_read_write##size, void* address) {           \
    access(address, size, false, mazurka_caller);                            \
    access(address, size, true, mazurka_caller);                             \
  }                                                                          \
  MAZURKA_FAR_HOOK(void, __tsan_unaligned_read_write##size, void* address) { \
    access(address, size, false, mazurka_caller);                            \
    access(address, size, true, mazurka_caller);                             \
  }

MAZURKA_SIZED(1)
MAZURKA_SIZED(2)
MAZURKA_SIZED(4)
MAZURKA_SIZED(8)
MAZURKA_SIZED(16)

MAZURKA_FAR_HOOK(void, __tsan_read_range, void* address, unsigned long size) {
  mazurka_call_site.stack_pointer = 0;
  if (!scheduled()) return;  // a copy: it may have bytes that nobody has written
  runtime->accesses.plain(reinterpret_cast<std::uintptr_t>(address), size, false, mazurka_caller);
}
MAZURKA_FAR_HOOK(void, __tsan_write_range, void* address, unsigned long size) {
  access(address, size, true, mazurka_caller);
}
MAZURKA_FAR_HOOK(void, __tsan_vptr_read, void** address) {
  access(address, sizeof(void*), false, mazurka_caller);
}
MAZURKA_FAR_HOOK(void, __tsan_vptr_update, void** address, void* value) {
  if (*address != value) access(address, sizeof(void*), true, mazurka_caller);
}
MAZURKA_HOOK void __tsan_init() {}
MAZURKA_HOOK void __tsan_func_entry(void*) {}
MAZURKA_HOOK void __tsan_func_exit() {}
MAZURKA_HOOK void __tsan_ignore_thread_begin() {}
MAZURKA_HOOK void __tsan_ignore_thread_end() {}

// Copies of memory. The C library's checking variants lead to its own functions, whatever the
// plain names mean; they are bound before anything runs.
extern "C" {
void* __memcpy_chk(void* to, const void* from, std::size_t size, std::size_t room);
void* __memmove_chk(void* to, const void* from, std::size_t size, std::size_t room);
void* __memset_chk(void* to, int value, std::size_t size, std::size_t room);
}

namespace {

constexpr std::size_t enough = ~std::size_t{0};

inline void copy_access(void* to, const void* from, std::size_t size, const void* code) {
  if (size == 0 || !scheduled()) return;
  access(from, size, false, code);
  access(to, size, true, code);
}

}  // namespace

#define MAZURKA_COPIES(memcpy_name, memmove_name, memset_name)                          \
  MAZURKA_FAR_HOOK(void*, memcpy_name, void* to, const void* from, std::size_t size) {  \
    copy_access(to, from, size, mazurka_caller);                                        \
    return __memcpy_chk(to, from, size, enough);                                        \
  }                                                                                     \
  MAZURKA_FAR_HOOK(void*, memmove_name, void* to, const void* from, std::size_t size) { \
    copy_access(to, from, size, mazurka_caller);                                        \
    return __memmove_chk(to, from, size, enough);                                       \
  }                                                                                     \
  MAZURKA_FAR_HOOK(void*, memset_name, void* to, int value, std::size_t size) {         \
    if (size != 0) access(to, size, true, mazurka_caller);                              \
    return __memset_chk(to, value, size, enough);                                       \
  }

MAZURKA_COPIES(memcpy, memmove, memset)
MAZURKA_COPIES(__tsan_memcpy, __tsan_memmove, __tsan_memset)  // as newer compilers call them
