// Synchronisation that the scheduler does not know. Such a call must never run natively: it would
// block the one OS thread, or synchronise behind the scheduler's back. It ends the run with a
// message that names it.
#include "programs/threads/runtime/hooks/hooks.hpp"

using mazurka::threads::native;
using mazurka::threads::native_symbol;
using mazurka::threads::runtime;
using mazurka::threads::scheduled;

// All of these take at most six integer or pointer arguments and return an integer, a pointer or
// nothing: passing six words on is right for each of them.
#define MAZURKA_UNSUPPORTED(name)                                                                  \
  MAZURKA_HOOK long unsupported_##name(long a, long b, long c, long d, long e, long f) asm(#name); \
  MAZURKA_HOOK long unsupported_##name(long a, long b, long c, long d, long e, long f) {           \
    if (scheduled()) runtime->unsupported(#name "()");                                             \
    using Function = long(long, long, long, long, long, long);                                     \
    static auto* const real = reinterpret_cast<Function*>(native_symbol(#name));                   \
    return real(a, b, c, d, e, f);                                                                 \
  }

// Threads
MAZURKA_UNSUPPORTED(pthread_cancel)
MAZURKA_UNSUPPORTED(setcontext)
MAZURKA_UNSUPPORTED(swapcontext)
// Threads that a compiler makes (OpenMP): its library synchronises behind the scheduler's back
MAZURKA_UNSUPPORTED(GOMP_parallel)
MAZURKA_UNSUPPORTED(GOMP_parallel_start)
MAZURKA_UNSUPPORTED(__kmpc_fork_call)
// Fibers of the program's own, that it tells ThreadSanitizer of
MAZURKA_UNSUPPORTED(__tsan_create_fiber)
MAZURKA_UNSUPPORTED(__tsan_switch_to_fiber)
MAZURKA_UNSUPPORTED(__tsan_get_current_fiber)
// Processes
MAZURKA_UNSUPPORTED(fork)
MAZURKA_UNSUPPORTED(vfork)
MAZURKA_UNSUPPORTED(clone)
MAZURKA_UNSUPPORTED(posix_spawn)
MAZURKA_UNSUPPORTED(posix_spawnp)
MAZURKA_UNSUPPORTED(popen)
MAZURKA_UNSUPPORTED(execv)
MAZURKA_UNSUPPORTED(execve)
MAZURKA_UNSUPPORTED(execvp)
MAZURKA_UNSUPPORTED(execvpe)
MAZURKA_UNSUPPORTED(execveat)
MAZURKA_UNSUPPORTED(fexecve)
// Signals
MAZURKA_UNSUPPORTED(timer_create)
MAZURKA_UNSUPPORTED(timerfd_create)
MAZURKA_UNSUPPORTED(pause)
// Communication with other processes, and input that may have to be waited for
MAZURKA_UNSUPPORTED(sem_open)
MAZURKA_UNSUPPORTED(mq_open)
MAZURKA_UNSUPPORTED(shm_open)
MAZURKA_UNSUPPORTED(shmget)
MAZURKA_UNSUPPORTED(semget)
MAZURKA_UNSUPPORTED(msgget)
MAZURKA_UNSUPPORTED(pipe2)
MAZURKA_UNSUPPORTED(socket)
MAZURKA_UNSUPPORTED(socketpair)
MAZURKA_UNSUPPORTED(eventfd)
MAZURKA_UNSUPPORTED(epoll_create)
MAZURKA_UNSUPPORTED(epoll_create1)
MAZURKA_UNSUPPORTED(aio_read)
MAZURKA_UNSUPPORTED(aio_write)

// For what is linked into programs in the place of a library.
MAZURKA_HOOK [[noreturn]] void mazurka_unsupported(const char* function);
MAZURKA_HOOK void mazurka_unsupported(const char* function) {
  if (scheduled()) runtime->unsupported(function);
  native()._exit(2);
  __builtin_unreachable();
}
