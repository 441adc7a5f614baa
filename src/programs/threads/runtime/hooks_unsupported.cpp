// Synchronisation that the scheduler does not know. Such a call must never run natively: it would
// block the one OS thread, or synchronise behind the scheduler's back. It ends the run with a
// message that names it.
#include "programs/threads/runtime/hooks.hpp"

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

MAZURKA_UNSUPPORTED(pthread_tryjoin_np)
MAZURKA_UNSUPPORTED(pthread_timedjoin_np)
MAZURKA_UNSUPPORTED(pthread_clockjoin_np)
MAZURKA_UNSUPPORTED(pthread_cancel)
MAZURKA_UNSUPPORTED(pthread_kill)
MAZURKA_UNSUPPORTED(pthread_sigqueue)
MAZURKA_UNSUPPORTED(pthread_mutex_timedlock)
MAZURKA_UNSUPPORTED(pthread_mutex_clocklock)
MAZURKA_UNSUPPORTED(pthread_mutex_consistent)
MAZURKA_UNSUPPORTED(pthread_cond_timedwait)
MAZURKA_UNSUPPORTED(pthread_cond_clockwait)
MAZURKA_UNSUPPORTED(pthread_rwlock_rdlock)
MAZURKA_UNSUPPORTED(pthread_rwlock_tryrdlock)
MAZURKA_UNSUPPORTED(pthread_rwlock_timedrdlock)
MAZURKA_UNSUPPORTED(pthread_rwlock_clockrdlock)
MAZURKA_UNSUPPORTED(pthread_rwlock_wrlock)
MAZURKA_UNSUPPORTED(pthread_rwlock_trywrlock)
MAZURKA_UNSUPPORTED(pthread_rwlock_timedwrlock)
MAZURKA_UNSUPPORTED(pthread_rwlock_clockwrlock)
MAZURKA_UNSUPPORTED(pthread_rwlock_unlock)
MAZURKA_UNSUPPORTED(pthread_spin_lock)
MAZURKA_UNSUPPORTED(pthread_spin_trylock)
MAZURKA_UNSUPPORTED(pthread_spin_unlock)
MAZURKA_UNSUPPORTED(pthread_barrier_wait)
MAZURKA_UNSUPPORTED(sem_wait)
MAZURKA_UNSUPPORTED(sem_trywait)
MAZURKA_UNSUPPORTED(sem_timedwait)
MAZURKA_UNSUPPORTED(sem_clockwait)
MAZURKA_UNSUPPORTED(sem_post)
MAZURKA_UNSUPPORTED(sem_getvalue)
MAZURKA_UNSUPPORTED(sem_open)
MAZURKA_UNSUPPORTED(thrd_create)
MAZURKA_UNSUPPORTED(thrd_join)
MAZURKA_UNSUPPORTED(thrd_detach)
MAZURKA_UNSUPPORTED(thrd_exit)
MAZURKA_UNSUPPORTED(thrd_sleep)
MAZURKA_UNSUPPORTED(thrd_yield)
MAZURKA_UNSUPPORTED(mtx_lock)
MAZURKA_UNSUPPORTED(mtx_trylock)
MAZURKA_UNSUPPORTED(mtx_timedlock)
MAZURKA_UNSUPPORTED(mtx_unlock)
MAZURKA_UNSUPPORTED(cnd_wait)
MAZURKA_UNSUPPORTED(cnd_timedwait)
MAZURKA_UNSUPPORTED(cnd_signal)
MAZURKA_UNSUPPORTED(cnd_broadcast)
MAZURKA_UNSUPPORTED(call_once)
MAZURKA_UNSUPPORTED(tss_create)
MAZURKA_UNSUPPORTED(fork)
