// The C library's own functions behind the names that this runtime takes over.
//
// Looked up once, before anything else runs. The engine calls these and never the public names,
// which would come back to it.
#pragma once

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/types.h>
#include <time.h>

#include <cstddef>
#include <cstdint>

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* block, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);
void __libc_free(void* block);
}

namespace mazurka::threads {

struct Native {
  int (*pthread_create)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  int (*pthread_join)(pthread_t, void**);
  int (*pthread_detach)(pthread_t);
  void (*pthread_exit)(void*);
  pthread_t (*pthread_self)();
  int (*pthread_sigmask)(int, const sigset_t*, sigset_t*);
  int (*pthread_attr_init)(pthread_attr_t*);
  int (*pthread_attr_destroy)(pthread_attr_t*);
  int (*pthread_attr_setstack)(pthread_attr_t*, void*, std::size_t);
  int (*pthread_mutex_lock)(pthread_mutex_t*);
  int (*pthread_mutex_trylock)(pthread_mutex_t*);
  int (*pthread_mutex_unlock)(pthread_mutex_t*);
  int (*pthread_mutex_init)(pthread_mutex_t*, const pthread_mutexattr_t*);
  int (*pthread_mutex_destroy)(pthread_mutex_t*);
  int (*pthread_cond_wait)(pthread_cond_t*, pthread_mutex_t*);
  int (*pthread_cond_signal)(pthread_cond_t*);
  int (*pthread_cond_broadcast)(pthread_cond_t*);
  int (*pthread_cond_init)(pthread_cond_t*, const pthread_condattr_t*);
  int (*pthread_cond_destroy)(pthread_cond_t*);
  int (*pthread_once)(pthread_once_t*, void (*)());
  int (*pthread_key_create)(pthread_key_t*, void (*)(void*));
  int (*pthread_key_delete)(pthread_key_t);
  void* (*pthread_getspecific)(pthread_key_t);
  int (*pthread_setspecific)(pthread_key_t, const void*);
  int (*sched_yield)();
  unsigned (*sleep)(unsigned);
  int (*usleep)(unsigned);
  int (*clock_gettime)(clockid_t, timespec*);
  std::size_t (*strlen)(const char*);
  char* (*strcat)(char*, const char*);
  char* (*strncat)(char*, const char*, std::size_t);
  int (*vsnprintf)(char*, std::size_t, const char*, va_list);
  void* (*mmap)(void*, std::size_t, int, int, int, off_t);
  int (*munmap)(void*, std::size_t);
  int (*mprotect)(void*, std::size_t, int);
  int (*nanosleep)(const timespec*, timespec*);
  int (*clock_nanosleep)(clockid_t, int, const timespec*, timespec*);
  long (*syscall)(long, ...);
  void (*exit)(int);
  void (*quick_exit)(int);
  void (*_exit)(int);
  void (*abort)();
  void (*assert_fail)(const char*, const char*, unsigned, const char*);
  int (*cxa_atexit)(void (*)(void*), void*, void*);
  void (*cxa_finalize)(void*);
  int (*cxa_thread_atexit)(void (*)(), void*, void*);
  int (*cxa_guard_acquire)(std::uint64_t*);
  void (*cxa_guard_release)(std::uint64_t*);
  void (*cxa_guard_abort)(std::uint64_t*);
  int (*libc_start_main)(int (*)(int, char**, char**), int, char**, void (*)(), void (*)(),
                         void (*)(), void*);
};

/// Fills itself in on first use.
[[nodiscard]] const Native& native();

/// The function that the name would mean without this runtime; ends the program if there is none.
[[nodiscard]] void* native_symbol(const char* name);

/// Calls that function, looking it up each time. The arguments must have its parameters' types.
template <typename Result = int, typename... Arguments>
Result natively(const char* name, Arguments... arguments) {
  using Function = Result(Arguments...);
  return reinterpret_cast<Function*>(native_symbol(name))(arguments...);
}

}  // namespace mazurka::threads
