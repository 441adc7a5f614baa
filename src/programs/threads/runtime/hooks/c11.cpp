// C11 <threads.h>. The C library builds these on internal functions of its own, so each is taken
// over; a mtx_t is a pthread mutex in disguise, a cnd_t a condition variable, a thrd_t a pthread_t.
#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/machine/call_site.hpp"
#include "programs/threads/runtime/teller.hpp"

using mazurka::threads::natively;
using mazurka::threads::runtime;
using mazurka::threads::scheduled;
using mazurka::threads::Teller;

namespace {

pthread_mutex_t* as_pthread(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }

int in_c11(int error) {
  switch (error) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    case ENOMEM: return thrd_nomem;
    default: return thrd_error;
  }
}

}  // namespace

MAZURKA_HOOK int thrd_create(thrd_t* thread, thrd_start_t routine, void* argument) {
  if (!scheduled()) return natively("thrd_create", thread, routine, argument);
  // An int comes back in the same register as a pointer; thrd_join looks at its half alone.
  using Routine = void* (*)(void*);
  const auto same = reinterpret_cast<Routine>(reinterpret_cast<void*>(routine));
  Teller(__builtin_return_address(0)).write(thread, sizeof *thread);
  return in_c11(pthread_create(thread, nullptr, same, argument));
}
MAZURKA_HOOK int thrd_join(thrd_t thread, int* result) {
  if (!scheduled()) return natively("thrd_join", thread, result);
  void* value = nullptr;
  const Teller teller(__builtin_return_address(0));
  const int error = pthread_join(thread, &value);
  if (error == 0 && result != nullptr) {
    teller.write(result, sizeof *result);
    *result = static_cast<int>(reinterpret_cast<std::intptr_t>(value));
  }
  return in_c11(error);
}
MAZURKA_HOOK int thrd_detach(thrd_t thread) {
  return scheduled() ? in_c11(pthread_detach(thread)) : natively("thrd_detach", thread);
}
MAZURKA_HOOK void thrd_exit(int result) {
  if (!scheduled()) natively<void>("thrd_exit", result);
  pthread_exit(reinterpret_cast<void*>(static_cast<std::intptr_t>(result)));
}
MAZURKA_HOOK thrd_t thrd_current() { return pthread_self(); }
MAZURKA_HOOK int thrd_sleep(const timespec* time, timespec* left) {
  return nanosleep(time, left) == 0 ? 0 : -1;
}
MAZURKA_HOOK void thrd_yield() { sched_yield(); }

MAZURKA_FAR_HOOK(int, mtx_init, mtx_t* mutex, int type) {
  if (!scheduled()) return natively("mtx_init", mutex, type);
  runtime->races.own_primitive(mutex, mazurka_caller);
  const bool recursive = (type & mtx_recursive) != 0;
  runtime->mutexes.set_up(as_pthread(mutex),
                          recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
  return thrd_success;
}
MAZURKA_FAR_HOOK(void, mtx_destroy, mtx_t* mutex) {
  if (scheduled()) {
    runtime->mutexes.destroy(as_pthread(mutex));
  } else {
    natively<void>("mtx_destroy", mutex);
  }
}
MAZURKA_SITE_HOOK(int, mtx_lock, mtx_t* mutex) {
  if (!scheduled()) return natively("mtx_lock", mutex);
  return in_c11(runtime->mutexes.lock(as_pthread(mutex)));
}
MAZURKA_SITE_HOOK(int, mtx_trylock, mtx_t* mutex) {
  if (!scheduled()) return natively("mtx_trylock", mutex);
  return in_c11(runtime->mutexes.try_lock(as_pthread(mutex)));
}
MAZURKA_SITE_HOOK(int, mtx_timedlock, mtx_t* mutex, const timespec* time) {
  if (!scheduled()) return natively("mtx_timedlock", mutex, time);
  runtime->timing.set_deadline(*time);
  const int result = runtime->mutexes.try_lock(as_pthread(mutex));
  if (result != EBUSY) return in_c11(result);
  runtime->timing.pass_deadline();
  return thrd_timedout;
}
MAZURKA_FAR_HOOK(int, mtx_unlock, mtx_t* mutex) {
  return scheduled() ? in_c11(runtime->mutexes.unlock(as_pthread(mutex)))
                     : natively("mtx_unlock", mutex);
}

MAZURKA_FAR_HOOK(int, cnd_init, cnd_t* condition) {
  if (!scheduled()) return natively("cnd_init", condition);
  runtime->races.own_primitive(condition, mazurka_caller);
  runtime->conditions.set_up(condition);
  return thrd_success;
}
MAZURKA_FAR_HOOK(void, cnd_destroy, cnd_t* condition) {
  if (scheduled()) {
    runtime->conditions.destroy(condition);
  } else {
    natively<void>("cnd_destroy", condition);
  }
}
MAZURKA_FAR_HOOK(int, cnd_wait, cnd_t* condition, mtx_t* mutex) {
  if (!scheduled()) return natively("cnd_wait", condition, mutex);
  return in_c11(runtime->conditions.wait(condition, as_pthread(mutex), 0));
}
MAZURKA_SITE_HOOK(int, cnd_timedwait, cnd_t* condition, mtx_t* mutex, const timespec* time) {
  if (!scheduled()) return natively("cnd_timedwait", condition, mutex, time);
  runtime->timing.set_deadline(*time);
  const int result = runtime->conditions.wait(condition, as_pthread(mutex), ETIMEDOUT);
  if (result == ETIMEDOUT) runtime->timing.pass_deadline();
  return in_c11(result);
}
MAZURKA_FAR_HOOK(int, cnd_signal, cnd_t* condition) {
  if (!scheduled()) return natively("cnd_signal", condition);
  runtime->conditions.signal(condition, 1);
  return thrd_success;
}
MAZURKA_FAR_HOOK(int, cnd_broadcast, cnd_t* condition) {
  if (!scheduled()) return natively("cnd_broadcast", condition);
  runtime->conditions.signal(condition, mazurka::threads::Conditions::everybody);
  return thrd_success;
}

MAZURKA_HOOK void call_once(once_flag* flag, void (*routine)()) {
  if (scheduled()) {
    pthread_once(reinterpret_cast<pthread_once_t*>(flag), routine);
  } else {
    natively<void>("call_once", flag, routine);
  }
}
MAZURKA_HOOK int tss_create(tss_t* key, tss_dtor_t destructor) {
  return scheduled() ? in_c11(pthread_key_create(key, destructor))
                     : natively("tss_create", key, destructor);
}
MAZURKA_HOOK void tss_delete(tss_t key) { pthread_key_delete(key); }
MAZURKA_HOOK void* tss_get(tss_t key) { return pthread_getspecific(key); }
MAZURKA_HOOK int tss_set(tss_t key, void* value) { return in_c11(pthread_setspecific(key, value)); }
