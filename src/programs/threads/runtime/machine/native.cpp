#include "programs/threads/runtime/machine/native.hpp"

#include <dlfcn.h>
#include <sys/uio.h>
#include <unistd.h>

namespace mazurka::threads {

void* native_symbol(const char* name) {
  void* symbol = dlsym(RTLD_NEXT, name);
  if (symbol == nullptr) {
    // Not write(), which may be what is missing.
    char text[] = "mazurka: the C library lacks ";
    char end[] = "\n";
    const iovec parts[] = {
        {text, sizeof text - 1}, {const_cast<char*>(name), __builtin_strlen(name)}, {end, 1}};
    (void)!writev(2, parts, 3);
    ::_exit(2);
  }
  return symbol;
}

namespace {

template <typename Function>
void look_up(Function*& function, const char* name) {
  function = reinterpret_cast<Function*>(native_symbol(name));
}

Native look_up_all() {
  Native found{};
  look_up(found.pthread_create, "pthread_create");
  look_up(found.pthread_join, "pthread_join");
  look_up(found.pthread_detach, "pthread_detach");
  look_up(found.pthread_exit, "pthread_exit");
  look_up(found.pthread_self, "pthread_self");
  look_up(found.pthread_sigmask, "pthread_sigmask");
  look_up(found.pthread_attr_init, "pthread_attr_init");
  look_up(found.pthread_attr_destroy, "pthread_attr_destroy");
  look_up(found.pthread_attr_setstack, "pthread_attr_setstack");
  look_up(found.pthread_mutex_lock, "pthread_mutex_lock");
  look_up(found.pthread_mutex_trylock, "pthread_mutex_trylock");
  look_up(found.pthread_mutex_unlock, "pthread_mutex_unlock");
  look_up(found.pthread_mutex_init, "pthread_mutex_init");
  look_up(found.pthread_mutex_destroy, "pthread_mutex_destroy");
  look_up(found.pthread_cond_wait, "pthread_cond_wait");
  look_up(found.pthread_cond_signal, "pthread_cond_signal");
  look_up(found.pthread_cond_broadcast, "pthread_cond_broadcast");
  look_up(found.pthread_cond_init, "pthread_cond_init");
  look_up(found.pthread_cond_destroy, "pthread_cond_destroy");
  look_up(found.pthread_once, "pthread_once");
  look_up(found.pthread_key_create, "pthread_key_create");
  look_up(found.pthread_key_delete, "pthread_key_delete");
  look_up(found.pthread_getspecific, "pthread_getspecific");
  look_up(found.pthread_setspecific, "pthread_setspecific");
  look_up(found.sched_yield, "sched_yield");
  look_up(found.sleep, "sleep");
  look_up(found.usleep, "usleep");
  look_up(found.clock_gettime, "clock_gettime");
  look_up(found.strlen, "strlen");
  look_up(found.strcat, "strcat");
  look_up(found.strncat, "strncat");
  look_up(found.vsnprintf, "vsnprintf");
  look_up(found.mmap, "mmap");
  look_up(found.munmap, "munmap");
  look_up(found.mprotect, "mprotect");
  look_up(found.nanosleep, "nanosleep");
  look_up(found.clock_nanosleep, "clock_nanosleep");
  look_up(found.syscall, "syscall");
  look_up(found.exit, "exit");
  look_up(found.quick_exit, "quick_exit");
  look_up(found._exit, "_exit");
  look_up(found.abort, "abort");
  look_up(found.assert_fail, "__assert_fail");
  look_up(found.cxa_atexit, "__cxa_atexit");
  look_up(found.cxa_finalize, "__cxa_finalize");
  look_up(found.cxa_thread_atexit, "__cxa_thread_atexit_impl");
  look_up(found.cxa_guard_acquire, "__cxa_guard_acquire");
  look_up(found.cxa_guard_release, "__cxa_guard_release");
  look_up(found.cxa_guard_abort, "__cxa_guard_abort");
  look_up(found.libc_start_main, "__libc_start_main");
  return found;
}

}  // namespace

const Native& native() {
  static Native found{};
  static bool filled = false;
  if (!filled) {
    filled = true;
    found = look_up_all();
  }
  return found;
}

}  // namespace mazurka::threads
