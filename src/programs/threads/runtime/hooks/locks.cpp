// Read-write locks, spin locks, barriers and semaphores of POSIX, and all that waits for a limited
// time. A wait that may time out does so whenever it cannot go on at once: whoever waits longer is
// an execution in which it comes to the call later. Whether the time given is long does not matter.
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/machine/call_site.hpp"
#include "programs/threads/runtime/teller.hpp"

using mazurka::host::Action;
using mazurka::threads::GateUse;
using mazurka::threads::natively;
using mazurka::threads::runtime;
using mazurka::threads::scheduled;
using mazurka::threads::Teller;
namespace wish = mazurka::threads::gate_wish;

namespace {

bool no_time(const timespec* time) {
  return time == nullptr || time->tv_nsec < 0 || time->tv_nsec >= 1'000'000'000;
}

// A wait for a limited time has ended without success.
int too_late(const timespec* time) {
  if (no_time(time)) return EINVAL;
  runtime->timing.pass_deadline();
  return ETIMEDOUT;
}

int timed_lock(pthread_mutex_t* mutex, const timespec* time) {
  if (!no_time(time)) runtime->timing.set_deadline(*time);
  const int result = runtime->mutexes.try_lock(mutex, true);
  return result == EBUSY ? too_late(time) : result;
}

int timed_wait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* time) {
  if (no_time(time)) return EINVAL;
  runtime->timing.set_deadline(*time);
  const int result = runtime->conditions.wait(condition, mutex, ETIMEDOUT);
  return result == ETIMEDOUT ? too_late(time) : result;
}

int fail_with(int error) {
  errno = error;
  return -1;
}

int timed_pass(const void* gate, GateUse use, std::uint16_t what, const timespec* time) {
  if (!no_time(time)) runtime->timing.set_deadline(*time);
  if (runtime->gates.try_to_pass(gate, use, what)) return 0;
  return too_late(time);
}

}  // namespace

// --- mutexes and condition variables, for a limited time
// ------------------------------------------

MAZURKA_SITE_HOOK(int, pthread_mutex_timedlock, pthread_mutex_t* mutex, const timespec* time) {
  if (!scheduled()) return natively("pthread_mutex_timedlock", mutex, time);
  return timed_lock(mutex, time);
}
MAZURKA_SITE_HOOK(int, pthread_mutex_clocklock, pthread_mutex_t* mutex, clockid_t clock,
                  const timespec* time) {
  if (!scheduled()) return natively("pthread_mutex_clocklock", mutex, clock, time);
  return timed_lock(mutex, time);
}
MAZURKA_SITE_HOOK(int, pthread_cond_timedwait, pthread_cond_t* condition, pthread_mutex_t* mutex,
                  const timespec* time) {
  if (!scheduled()) return natively("pthread_cond_timedwait", condition, mutex, time);
  return timed_wait(condition, mutex, time);
}
MAZURKA_SITE_HOOK(int, pthread_cond_clockwait, pthread_cond_t* condition, pthread_mutex_t* mutex,
                  clockid_t clock, const timespec* time) {
  if (!scheduled()) return natively("pthread_cond_clockwait", condition, mutex, clock, time);
  return timed_wait(condition, mutex, time);
}

// --- read-write locks ----------------------------------------------------------------------------

MAZURKA_FAR_HOOK(int, pthread_rwlock_init, pthread_rwlock_t* lock,
                 const pthread_rwlockattr_t* how) {
  if (!scheduled()) return natively("pthread_rwlock_init", lock, how);
  runtime->races.own_primitive(lock, mazurka_caller);
  runtime->gates.set_up(lock, 0, GateUse::read_write_lock);
  return 0;
}
MAZURKA_FAR_HOOK(int, pthread_rwlock_destroy, pthread_rwlock_t* lock) {
  if (!scheduled()) return natively("pthread_rwlock_destroy", lock);
  runtime->gates.destroy(lock, GateUse::read_write_lock);
  return 0;
}
MAZURKA_SITE_HOOK(int, pthread_rwlock_rdlock, pthread_rwlock_t* lock) {
  if (!scheduled()) return natively("pthread_rwlock_rdlock", lock);
  return runtime->gates.pass(lock, GateUse::read_write_lock, wish::shared);
}
MAZURKA_SITE_HOOK(int, pthread_rwlock_tryrdlock, pthread_rwlock_t* lock) {
  if (!scheduled()) return natively("pthread_rwlock_tryrdlock", lock);
  return runtime->gates.try_to_pass(lock, GateUse::read_write_lock, wish::shared) ? 0 : EBUSY;
}
MAZURKA_SITE_HOOK(int, pthread_rwlock_timedrdlock, pthread_rwlock_t* lock, const timespec* time) {
  if (!scheduled()) return natively("pthread_rwlock_timedrdlock", lock, time);
  return timed_pass(lock, GateUse::read_write_lock, wish::shared, time);
}
MAZURKA_SITE_HOOK(int, pthread_rwlock_clockrdlock, pthread_rwlock_t* lock, clockid_t clock,
                  const timespec* time) {
  if (!scheduled()) return natively("pthread_rwlock_clockrdlock", lock, clock, time);
  return timed_pass(lock, GateUse::read_write_lock, wish::shared, time);
}
MAZURKA_SITE_HOOK(int, pthread_rwlock_wrlock, pthread_rwlock_t* lock) {
  if (!scheduled()) return natively("pthread_rwlock_wrlock", lock);
  return runtime->gates.pass(lock, GateUse::read_write_lock, wish::alone);
}
MAZURKA_SITE_HOOK(int, pthread_rwlock_trywrlock, pthread_rwlock_t* lock) {
  if (!scheduled()) return natively("pthread_rwlock_trywrlock", lock);
  return runtime->gates.try_to_pass(lock, GateUse::read_write_lock, wish::alone) ? 0 : EBUSY;
}
MAZURKA_SITE_HOOK(int, pthread_rwlock_timedwrlock, pthread_rwlock_t* lock, const timespec* time) {
  if (!scheduled()) return natively("pthread_rwlock_timedwrlock", lock, time);
  return timed_pass(lock, GateUse::read_write_lock, wish::alone, time);
}
MAZURKA_SITE_HOOK(int, pthread_rwlock_clockwrlock, pthread_rwlock_t* lock, clockid_t clock,
                  const timespec* time) {
  if (!scheduled()) return natively("pthread_rwlock_clockwrlock", lock, clock, time);
  return timed_pass(lock, GateUse::read_write_lock, wish::alone, time);
}
MAZURKA_FAR_HOOK(int, pthread_rwlock_unlock, pthread_rwlock_t* lock) {
  if (!scheduled()) return natively("pthread_rwlock_unlock", lock);
  return runtime->gates.unlock(lock, GateUse::read_write_lock);
}

// --- spin locks ----------------------------------------------------------------------------------

MAZURKA_FAR_HOOK(int, pthread_spin_init, pthread_spinlock_t* lock, int shared) {
  if (!scheduled()) return natively("pthread_spin_init", lock, shared);
  runtime->races.own_primitive(const_cast<int*>(lock), mazurka_caller);
  runtime->gates.set_up(const_cast<int*>(lock), 0, GateUse::spin_lock);
  return 0;
}
MAZURKA_FAR_HOOK(int, pthread_spin_destroy, pthread_spinlock_t* lock) {
  if (!scheduled()) return natively("pthread_spin_destroy", lock);
  runtime->gates.destroy(const_cast<int*>(lock), GateUse::spin_lock);
  return 0;
}
MAZURKA_SITE_HOOK(int, pthread_spin_lock, pthread_spinlock_t* lock) {
  if (!scheduled()) return natively("pthread_spin_lock", lock);
  return runtime->gates.pass(const_cast<int*>(lock), GateUse::spin_lock, wish::alone);
}
MAZURKA_SITE_HOOK(int, pthread_spin_trylock, pthread_spinlock_t* lock) {
  if (!scheduled()) return natively("pthread_spin_trylock", lock);
  return runtime->gates.try_to_pass(const_cast<int*>(lock), GateUse::spin_lock, wish::alone)
             ? 0
             : EBUSY;
}
MAZURKA_FAR_HOOK(int, pthread_spin_unlock, pthread_spinlock_t* lock) {
  if (!scheduled()) return natively("pthread_spin_unlock", lock);
  return runtime->gates.unlock(const_cast<int*>(lock), GateUse::spin_lock);
}

// --- barriers ------------------------------------------------------------------------------------

MAZURKA_FAR_HOOK(int, pthread_barrier_init, pthread_barrier_t* barrier,
                 const pthread_barrierattr_t* how, unsigned count) {
  if (!scheduled()) return natively("pthread_barrier_init", barrier, how, count);
  if (count == 0) return EINVAL;
  runtime->races.own_primitive(barrier, mazurka_caller);
  runtime->barriers.set_up(barrier, count);
  return 0;
}
MAZURKA_FAR_HOOK(int, pthread_barrier_destroy, pthread_barrier_t* barrier) {
  if (!scheduled()) return natively("pthread_barrier_destroy", barrier);
  runtime->barriers.destroy(barrier);
  return 0;
}
MAZURKA_FAR_HOOK(int, pthread_barrier_wait, pthread_barrier_t* barrier) {
  if (!scheduled()) return natively("pthread_barrier_wait", barrier);
  const bool looks = runtime->result_uses.may_use(mazurka_caller);
  return runtime->barriers.wait(barrier, looks) ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

// --- semaphores ----------------------------------------------------------------------------------

MAZURKA_FAR_HOOK(int, sem_init, sem_t* semaphore, int shared, unsigned value) {
  if (!scheduled()) return natively("sem_init", semaphore, shared, value);
  if (value > SEM_VALUE_MAX) return fail_with(EINVAL);
  runtime->races.own_primitive(semaphore, mazurka_caller);
  runtime->gates.set_up(semaphore, value, GateUse::semaphore);
  return 0;
}
MAZURKA_FAR_HOOK(int, sem_destroy, sem_t* semaphore) {
  if (!scheduled()) return natively("sem_destroy", semaphore);
  runtime->gates.destroy(semaphore, GateUse::semaphore);
  return 0;
}
MAZURKA_SITE_HOOK(int, sem_wait, sem_t* semaphore) {
  if (!scheduled()) return natively("sem_wait", semaphore);
  return runtime->gates.pass(semaphore, GateUse::semaphore, wish::token);
}
MAZURKA_SITE_HOOK(int, sem_trywait, sem_t* semaphore) {
  if (!scheduled()) return natively("sem_trywait", semaphore);
  const bool taken = runtime->gates.try_to_pass(semaphore, GateUse::semaphore, wish::token);
  return taken ? 0 : fail_with(EAGAIN);
}
MAZURKA_SITE_HOOK(int, sem_timedwait, sem_t* semaphore, const timespec* time) {
  if (!scheduled()) return natively("sem_timedwait", semaphore, time);
  const int error = timed_pass(semaphore, GateUse::semaphore, wish::token, time);
  return error == 0 ? 0 : fail_with(error);
}
MAZURKA_SITE_HOOK(int, sem_clockwait, sem_t* semaphore, clockid_t clock, const timespec* time) {
  if (!scheduled()) return natively("sem_clockwait", semaphore, clock, time);
  const int error = timed_pass(semaphore, GateUse::semaphore, wish::token, time);
  return error == 0 ? 0 : fail_with(error);
}
MAZURKA_FAR_HOOK(int, sem_post, sem_t* semaphore) {
  if (!scheduled()) return natively("sem_post", semaphore);
  runtime->gates.change(semaphore, GateUse::semaphore, Action::post,
                        [](std::uint64_t value) { return value + 1; });
  return 0;
}
MAZURKA_SITE_HOOK(int, sem_getvalue, sem_t* semaphore, int* value) {
  if (!scheduled()) return natively("sem_getvalue", semaphore, value);
  const Teller teller;
  const auto now = static_cast<int>(runtime->gates.change(
      semaphore, GateUse::semaphore, Action::look, [](std::uint64_t same) { return same; }));
  teller.write(value, sizeof *value);
  *value = now;
  return 0;
}
