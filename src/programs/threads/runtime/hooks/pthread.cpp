// POSIX threads under the scheduler.
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <unwind.h>

#include "programs/threads/runtime/check_function.hpp"
#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/machine/call_site.hpp"
#include "programs/threads/runtime/teller.hpp"

using mazurka::ProcessId;
using mazurka::host::Action;
using mazurka::threads::Conditions;
using mazurka::threads::handle_of;
using mazurka::threads::native;
using mazurka::threads::natively;
using mazurka::threads::process_of;
using mazurka::threads::runtime;
using mazurka::threads::scheduled;
using mazurka::threads::Teller;
using mazurka::threads::ThreadKeys;

namespace {

_Unwind_Reason_Code end_at_last_frame(int, _Unwind_Action actions, _Unwind_Exception_Class,
                                      _Unwind_Exception*, _Unwind_Context* context, void* result) {
  if (mazurka::threads::performs_checked(context) || (actions & _UA_END_OF_STACK) != 0) {
    runtime->threads.end(result);
  }
  return _URC_NO_REASON;
}

int join_for_a_time(pthread_t thread, void** result, const timespec* time) {
  const Teller teller;
  if (time == nullptr) return runtime->threads.join(process_of(thread), result);
  if (time->tv_nsec < 0 || time->tv_nsec >= 1'000'000'000) return EINVAL;
  runtime->timing.set_deadline(*time);
  const int error = runtime->threads.try_join(process_of(thread), result);
  if (error == 0 && result != nullptr) teller.write(result, sizeof *result);
  if (error != EBUSY) return error;
  runtime->timing.pass_deadline();
  return ETIMEDOUT;
}

}  // namespace

MAZURKA_FAR_HOOK(int, pthread_create, pthread_t* thread, const pthread_attr_t* attributes,
                 void* (*routine)(void*), void* argument) {
  if (!scheduled()) return native().pthread_create(thread, attributes, routine, argument);
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &state);
  Teller{}.write(thread, sizeof *thread);
  runtime->threads.create(thread, routine, argument, state == PTHREAD_CREATE_DETACHED);
  return 0;
}
MAZURKA_FAR_HOOK(int, pthread_join, pthread_t thread, void** result) {
  if (!scheduled()) return native().pthread_join(thread, result);
  const Teller teller;
  const int error = runtime->threads.join(process_of(thread), result);
  if (error == 0 && result != nullptr) teller.write(result, sizeof *result);
  return error;
}
// Among what may have been waited for, as any that looks again and again.
MAZURKA_SITE_HOOK(int, pthread_tryjoin_np, pthread_t thread, void** result) {
  if (!scheduled()) return natively("pthread_tryjoin_np", thread, result);
  const Teller teller;
  const int error = runtime->threads.try_join(process_of(thread), result);
  if (error == 0 && result != nullptr) teller.write(result, sizeof *result);
  return error;
}
MAZURKA_SITE_HOOK(int, pthread_timedjoin_np, pthread_t thread, void** result,
                  const timespec* time) {
  if (!scheduled()) return natively("pthread_timedjoin_np", thread, result, time);
  return join_for_a_time(thread, result, time);
}
MAZURKA_SITE_HOOK(int, pthread_clockjoin_np, pthread_t thread, void** result, clockid_t clock,
                  const timespec* time) {
  if (!scheduled()) return natively("pthread_clockjoin_np", thread, result, clock, time);
  return join_for_a_time(thread, result, time);
}
MAZURKA_FAR_HOOK(int, pthread_detach, pthread_t thread) {
  if (!scheduled()) return native().pthread_detach(thread);
  return runtime->threads.detach(process_of(thread));
}
MAZURKA_HOOK void pthread_exit(void* result) {
  if (!scheduled()) native().pthread_exit(result);
  if (!runtime->current().cleanups.empty()) {
    auto* buffer = static_cast<__pthread_unwind_buf_t*>(runtime->current().cleanups.back());
    runtime->current().cleanups.pop_back();
    runtime->current().result = result;
    longjmp(reinterpret_cast<__jmp_buf_tag*>(buffer->__cancel_jmp_buf), 1);
  }
  // Unwinds, so that destructors run; the last frame ends the thread.
  runtime->current().unwinding = {};
  _Unwind_ForcedUnwind(&runtime->current().unwinding.exception, end_at_last_frame, result);
  runtime->threads.end(result);
}
MAZURKA_HOOK pthread_t pthread_self() noexcept {
  if (!mazurka::threads::checking) return native().pthread_self();
  return handle_of(runtime->current().id);
}
MAZURKA_FAR_HOOK(int, pthread_mutex_init, pthread_mutex_t* mutex,
                 const pthread_mutexattr_t* attributes) {
  if (!scheduled()) return native().pthread_mutex_init(mutex, attributes);
  runtime->races.own_primitive(mutex, mazurka_caller);
  int type = PTHREAD_MUTEX_NORMAL;
  if (attributes != nullptr) pthread_mutexattr_gettype(attributes, &type);
  runtime->mutexes.set_up(mutex, type);
  return 0;
}
MAZURKA_FAR_HOOK(int, pthread_mutex_destroy, pthread_mutex_t* mutex) {
  if (!scheduled()) return native().pthread_mutex_destroy(mutex);
  return runtime->mutexes.destroy(mutex);
}
MAZURKA_SITE_HOOK(int, pthread_mutex_lock, pthread_mutex_t* mutex) {
  if (!scheduled()) return native().pthread_mutex_lock(mutex);
  return runtime->mutexes.lock(mutex);
}
MAZURKA_SITE_HOOK(int, pthread_mutex_trylock, pthread_mutex_t* mutex) {
  if (!scheduled()) return native().pthread_mutex_trylock(mutex);
  return runtime->mutexes.try_lock(mutex);
}
MAZURKA_FAR_HOOK(int, pthread_mutex_unlock, pthread_mutex_t* mutex) {
  if (!scheduled()) return native().pthread_mutex_unlock(mutex);
  return runtime->mutexes.unlock(mutex);
}

MAZURKA_FAR_HOOK(int, pthread_cond_init, pthread_cond_t* condition,
                 const pthread_condattr_t* attributes) {
  if (!scheduled()) return native().pthread_cond_init(condition, attributes);
  runtime->races.own_primitive(condition, mazurka_caller);
  runtime->conditions.set_up(condition);
  return 0;
}
MAZURKA_FAR_HOOK(int, pthread_cond_destroy, pthread_cond_t* condition) {
  if (!scheduled()) return native().pthread_cond_destroy(condition);
  runtime->conditions.destroy(condition);
  return 0;
}
MAZURKA_FAR_HOOK(int, pthread_cond_wait, pthread_cond_t* condition, pthread_mutex_t* mutex) {
  if (!scheduled()) return native().pthread_cond_wait(condition, mutex);
  return runtime->conditions.wait(condition, mutex, 0);
}
MAZURKA_FAR_HOOK(int, pthread_cond_signal, pthread_cond_t* condition) {
  if (!scheduled()) return native().pthread_cond_signal(condition);
  runtime->conditions.signal(condition, 1);
  return 0;
}
MAZURKA_FAR_HOOK(int, pthread_cond_broadcast, pthread_cond_t* condition) {
  if (!scheduled()) return native().pthread_cond_broadcast(condition);
  runtime->conditions.signal(condition, Conditions::everybody);
  return 0;
}

MAZURKA_FAR_HOOK(int, pthread_once, pthread_once_t* control, void (*routine)()) {
  if (!scheduled()) return native().pthread_once(control, routine);
  constexpr pthread_once_t ran_already = 2;  // as the C library marks it
  if (*control == ran_already) return 0;
  const auto address = reinterpret_cast<std::uintptr_t>(control);
  if (!runtime->onces.begin(address, sizeof *control, Action::static_begin)) return 0;
  try {
    routine();
  } catch (...) {
    runtime->onces.end(address, sizeof *control, false);
    throw;
  }
  runtime->onces.end(address, sizeof *control, true);
  return 0;
}

MAZURKA_FAR_HOOK(int, pthread_key_create, pthread_key_t* key, void (*destructor)(void*)) {
  if (!scheduled()) return native().pthread_key_create(key, destructor);
  Teller{}.write(key, sizeof *key);
  return runtime->thread_keys.create(destructor, key);
}
MAZURKA_FAR_HOOK(int, pthread_key_delete, pthread_key_t key) {
  if (!scheduled() || key < ThreadKeys::first) return native().pthread_key_delete(key);
  return runtime->thread_keys.remove(key);
}
MAZURKA_HOOK void* pthread_getspecific(pthread_key_t key) noexcept {
  if (!scheduled() || key < ThreadKeys::first) return native().pthread_getspecific(key);
  return runtime->thread_keys.value(key);
}
#if !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // the declaration says: value is not read
#endif
MAZURKA_FAR_HOOK(int, pthread_setspecific, pthread_key_t key, const void* value) {
  if (!scheduled() || key < ThreadKeys::first) return native().pthread_setspecific(key, value);
  return runtime->thread_keys.set_value(key, value);
}
#if !defined(__clang__)
#pragma GCC diagnostic pop
#endif

// Static variables of functions: `guard` has the flag that compiled code checks in its first byte.
MAZURKA_FAR_HOOK(int, __cxa_guard_acquire, std::uint64_t* guard) {
  if (!scheduled()) return native().cxa_guard_acquire(guard);
  return runtime->onces.begin(reinterpret_cast<std::uintptr_t>(guard), 1, Action::static_begin) ? 1
                                                                                                : 0;
}
MAZURKA_FAR_HOOK(void, __cxa_guard_release, std::uint64_t* guard) {
  if (!scheduled()) {
    native().cxa_guard_release(guard);
    return;
  }
  runtime->onces.end(reinterpret_cast<std::uintptr_t>(guard), 1, true);
  *reinterpret_cast<volatile char*>(guard) = 1;
}
MAZURKA_FAR_HOOK(void, __cxa_guard_abort, std::uint64_t* guard) {
  if (!scheduled()) {
    native().cxa_guard_abort(guard);
    return;
  }
  runtime->onces.end(reinterpret_cast<std::uintptr_t>(guard), 1, false);
}

MAZURKA_FAR_HOOK(int, __mazurka_choose, int count) {
  return scheduled() ? runtime->threads.choose(count) : 0;
}
MAZURKA_HOOK void __mazurka_atomic(std::uint64_t (*body)(void*), void* argument) {
  if (scheduled()) {
    runtime->sections.perform(body, argument);
  } else {
    body(argument);
  }
}
