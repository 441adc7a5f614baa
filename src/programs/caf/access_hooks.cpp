// What the compiler's instrumentation calls, and the functions of the C library that order accesses
// or end the life of memory. Linked into the library that programs are checked with, and nowhere
// else. There is a single thread, so an atomic operation needs nothing to be one.
//
// Between executions, and in a program without the instrumentation, they do what they always do.
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "programs/caf/watch.hpp"

using mazurka::caf::Watch;

namespace {

using Kind = Watch::Kind;

// Frames are linked: that of a hook leads to that of the function that has called it.
#define MAZURKA_SITE                                               \
  Watch::Site {                                                    \
    reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)), \
        *static_cast<void**>(__builtin_frame_address(0))           \
  }

inline void access(const void* address, std::size_t size, Kind kind, Watch::Site site) {
  if (Watch* const watch = Watch::active()) watch->access(address, size, kind, site);
}

inline void atomic_access(const void* address, std::size_t size, Kind kind, int order,
                          Watch::Site site) {
  if (Watch* const watch = Watch::active()) {
    watch->atomic_access(address, size, kind, static_cast<std::memory_order>(order), site);
  }
}

/// The function of this name that would be called without us.
template <typename Function>
Function* next_in_line(Function*& known, const char* name) {
  if (known == nullptr) known = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
  return known;
}

}  // namespace

#define MAZURKA_HOOK extern "C" [[gnu::visibility("default")]]

// --- plain accesses -----------------------------------------------------------------------------

#define MAZURKA_ACCESS(name, size, kind)             \
  MAZURKA_HOOK void __tsan_##name(void* address) {   \
    access(address, size, Kind::kind, MAZURKA_SITE); \
  }
#define MAZURKA_UPDATE(name, size)                    \
  MAZURKA_HOOK void __tsan_##name(void* address) {    \
    access(address, size, Kind::read, MAZURKA_SITE);  \
    access(address, size, Kind::write, MAZURKA_SITE); \
  }
#define MAZURKA_SIZED(size)                                   \
  MAZURKA_ACCESS(read##size, size, read)                      \
  MAZURKA_ACCESS(write##size, size, write)                    \
  MAZURKA_ACCESS(unaligned_read##size, size, read)            \
  MAZURKA_ACCESS(unaligned_write##size, size, write)          \
  MAZURKA_ACCESS(volatile_read##size, size, read)             \
  MAZURKA_ACCESS(volatile_write##size, size, write)           \
  MAZURKA_ACCESS(unaligned_volatile_read##size, size, read)   \
  MAZURKA_ACCESS(unaligned_volatile_write##size, size, write) \
  MAZURKA_UPDATE(read_write##size, size)                      \
  MAZURKA_UPDATE(unaligned_read_write##size, size)

MAZURKA_SIZED(1)
MAZURKA_SIZED(2)
MAZURKA_SIZED(4)
MAZURKA_SIZED(8)
MAZURKA_SIZED(16)

MAZURKA_HOOK void __tsan_read_range(void* address, unsigned long size) {
  access(address, size, Kind::read, MAZURKA_SITE);
}
MAZURKA_HOOK void __tsan_write_range(void* address, unsigned long size) {
  access(address, size, Kind::write, MAZURKA_SITE);
}
MAZURKA_HOOK void __tsan_vptr_read(void** address) {
  access(address, sizeof *address, Kind::read, MAZURKA_SITE);
}
MAZURKA_HOOK void __tsan_vptr_update(void** address, void* value) {
  if (*address != value) access(address, sizeof *address, Kind::write, MAZURKA_SITE);
}
MAZURKA_HOOK void __tsan_init() { Watch::program_is_instrumented(); }
MAZURKA_HOOK void __tsan_func_entry(void*) {}
MAZURKA_HOOK void __tsan_func_exit() {}

extern "C" {
void* __memcpy_chk(void* to, const void* from, std::size_t size, std::size_t room);
void* __memmove_chk(void* to, const void* from, std::size_t size, std::size_t room);
void* __memset_chk(void* to, int value, std::size_t size, std::size_t room);
}

#define MAZURKA_COPIES(memcpy_name, memmove_name, memset_name)                    \
  MAZURKA_HOOK void* memcpy_name(void* to, const void* from, std::size_t size) {  \
    access(from, size, Kind::read, MAZURKA_SITE);                                 \
    access(to, size, Kind::write, MAZURKA_SITE);                                  \
    return __memcpy_chk(to, from, size, ~std::size_t{0});                         \
  }                                                                               \
  MAZURKA_HOOK void* memmove_name(void* to, const void* from, std::size_t size) { \
    access(from, size, Kind::read, MAZURKA_SITE);                                 \
    access(to, size, Kind::write, MAZURKA_SITE);                                  \
    return __memmove_chk(to, from, size, ~std::size_t{0});                        \
  }                                                                               \
  MAZURKA_HOOK void* memset_name(void* to, int value, std::size_t size) {         \
    access(to, size, Kind::write, MAZURKA_SITE);                                  \
    return __memset_chk(to, value, size, ~std::size_t{0});                        \
  }

MAZURKA_COPIES(memcpy, memmove, memset)
MAZURKA_COPIES(__tsan_memcpy, __tsan_memmove, __tsan_memset)  // as newer compilers call them

// --- atomic ones --------------------------------------------------------------------------------

#define MAZURKA_FETCH(bits, type, name, expression)                                            \
  MAZURKA_HOOK type __tsan_atomic##bits##_##name(volatile type* at, type operand, int order) { \
    atomic_access(const_cast<type*>(at), sizeof *at, Kind::atomic_write, order, MAZURKA_SITE); \
    const type before = *at;                                                                   \
    *at = static_cast<type>(expression);                                                       \
    return before;                                                                             \
  }
#define MAZURKA_EXCHANGE(bits, type, name)                                               \
  MAZURKA_HOOK int __tsan_atomic##bits##_compare_exchange_##name(                        \
      volatile type* at, type* expected, type wanted, int order, int order_of_failure) { \
    const bool holds = *at == *expected;                                                 \
    atomic_access(const_cast<type*>(at), sizeof *at,                                     \
                  holds ? Kind::atomic_write : Kind::atomic_read,                        \
                  holds ? order : order_of_failure, MAZURKA_SITE);                       \
    if (holds) {                                                                         \
      *at = wanted;                                                                      \
    } else {                                                                             \
      *expected = *at;                                                                   \
    }                                                                                    \
    return holds ? 1 : 0;                                                                \
  }
#define MAZURKA_ATOMIC(bits, type)                                                             \
  MAZURKA_HOOK type __tsan_atomic##bits##_load(const volatile type* at, int order) {           \
    atomic_access(const_cast<type*>(at), sizeof *at, Kind::atomic_read, order, MAZURKA_SITE);  \
    return *at;                                                                                \
  }                                                                                            \
  MAZURKA_HOOK void __tsan_atomic##bits##_store(volatile type* at, type value, int order) {    \
    atomic_access(const_cast<type*>(at), sizeof *at, Kind::atomic_write, order, MAZURKA_SITE); \
    *at = value;                                                                               \
  }                                                                                            \
  MAZURKA_FETCH(bits, type, exchange, operand)                                                 \
  MAZURKA_FETCH(bits, type, fetch_add, before + operand)                                       \
  MAZURKA_FETCH(bits, type, fetch_sub, before - operand)                                       \
  MAZURKA_FETCH(bits, type, fetch_and, before& operand)                                        \
  MAZURKA_FETCH(bits, type, fetch_or, before | operand)                                        \
  MAZURKA_FETCH(bits, type, fetch_xor, before ^ operand)                                       \
  MAZURKA_FETCH(bits, type, fetch_nand, ~(before & operand))                                   \
  MAZURKA_EXCHANGE(bits, type, strong)                                                         \
  MAZURKA_EXCHANGE(bits, type, weak)                                                           \
  MAZURKA_HOOK type __tsan_atomic##bits##_compare_exchange_val(                                \
      volatile type* at, type expected, type wanted, int order, int order_of_failure) {        \
    const type before = *at;                                                                   \
    const bool holds = before == expected;                                                     \
    atomic_access(const_cast<type*>(at), sizeof *at,                                           \
                  holds ? Kind::atomic_write : Kind::atomic_read,                              \
                  holds ? order : order_of_failure, MAZURKA_SITE);                             \
    if (holds) *at = wanted;                                                                   \
    return before;                                                                             \
  }

__extension__ using Bits128 = unsigned __int128;
MAZURKA_ATOMIC(8, std::uint8_t)
MAZURKA_ATOMIC(16, std::uint16_t)
MAZURKA_ATOMIC(32, std::uint32_t)
MAZURKA_ATOMIC(64, std::uint64_t)
MAZURKA_ATOMIC(128, Bits128)

MAZURKA_HOOK void __tsan_atomic_thread_fence(int) {
  if (Watch* const watch = Watch::active()) watch->fence(MAZURKA_SITE);
}
MAZURKA_HOOK void __tsan_atomic_signal_fence(int) {}

// --- locks --------------------------------------------------------------------------------------

#define MAZURKA_LOCK(name, type)                                          \
  static int (*original_##name)(type*) = nullptr;                         \
  MAZURKA_HOOK int name(type* lock) noexcept {                            \
    const int result = next_in_line(original_##name, #name)(lock);        \
    Watch* const watch = Watch::active();                                 \
    if (watch != nullptr && result == 0) watch->lock(lock, MAZURKA_SITE); \
    return result;                                                        \
  }
#define MAZURKA_UNLOCK(name, type)                                               \
  static int (*original_##name)(type*) = nullptr;                                \
  MAZURKA_HOOK int name(type* lock) noexcept {                                   \
    if (Watch* const watch = Watch::active()) watch->unlock(lock, MAZURKA_SITE); \
    return next_in_line(original_##name, #name)(lock);                           \
  }

MAZURKA_LOCK(pthread_mutex_lock, pthread_mutex_t)
MAZURKA_LOCK(pthread_mutex_trylock, pthread_mutex_t)
MAZURKA_UNLOCK(pthread_mutex_unlock, pthread_mutex_t)
MAZURKA_LOCK(pthread_rwlock_rdlock, pthread_rwlock_t)
MAZURKA_LOCK(pthread_rwlock_tryrdlock, pthread_rwlock_t)
MAZURKA_LOCK(pthread_rwlock_wrlock, pthread_rwlock_t)
MAZURKA_LOCK(pthread_rwlock_trywrlock, pthread_rwlock_t)
MAZURKA_UNLOCK(pthread_rwlock_unlock, pthread_rwlock_t)

// A variable that is made when it is first used. Whoever finds it made reads its guard.
static void (*original_guard_release)(std::uint64_t*) = nullptr;
MAZURKA_HOOK void __cxa_guard_release(std::uint64_t* guard) noexcept {
  if (Watch* const watch = Watch::active()) watch->initialised(guard, MAZURKA_SITE);
  next_in_line(original_guard_release, "__cxa_guard_release")(guard);
}

// --- memory that is given back ------------------------------------------------------------------

extern "C" {
void __libc_free(void* block);
void* __libc_realloc(void* block, std::size_t size);
}

MAZURKA_HOOK void free(void* block) noexcept {
  Watch* const watch = Watch::active();
  if (watch != nullptr && block != nullptr) watch->freed(block, malloc_usable_size(block));
  __libc_free(block);
}
MAZURKA_HOOK void* realloc(void* block, std::size_t size) noexcept {
  Watch* const watch = Watch::active();
  const std::size_t before = block == nullptr ? 0 : malloc_usable_size(block);
  void* const moved = __libc_realloc(block, size);
  if (watch != nullptr && moved != block && block != nullptr) watch->freed(block, before);
  return moved;
}
