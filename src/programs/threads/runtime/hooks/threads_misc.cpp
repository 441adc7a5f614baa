// The small change of POSIX threads: names, places, priorities, cancellation that never comes, and
// clean-up handlers of C programs.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <time.h>
#include <unistd.h>

#include <cstring>

#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/machine/confinement.hpp"
#include "programs/threads/runtime/teller.hpp"

using mazurka::threads::EngineScope;
using mazurka::threads::native;
using mazurka::threads::natively;
using mazurka::threads::own_processors;
using mazurka::threads::process_of;
using mazurka::threads::runtime;
using mazurka::threads::scheduled;
using mazurka::threads::Teller;
using mazurka::threads::ThreadName;
using mazurka::threads::Use;

namespace {

void tell_processors(cpu_set_t* set, std::size_t size) {
  std::memset(set, 0, size);
  for (std::size_t at = 0; at < own_processors; ++at) CPU_SET_S(at, size, set);
}

}  // namespace

MAZURKA_HOOK int pthread_setname_np(pthread_t thread, const char* name) noexcept {
  if (!scheduled()) return natively("pthread_setname_np", thread, name);
  const EngineScope scope;
  mazurka::threads::Process* named = runtime->find(process_of(thread));
  if (named == nullptr) return ESRCH;
  ThreadName& known = named->name;
  if (std::strlen(name) >= known.size()) return ERANGE;
  runtime->use_outside("names of threads", Use::changes);
  known.fill('\0');
  std::strcpy(known.data(), name);
  return 0;
}
MAZURKA_HOOK int pthread_getname_np(pthread_t thread, char* name, std::size_t size) noexcept {
  if (!scheduled()) return natively("pthread_getname_np", thread, name, size);
  const Teller teller(__builtin_return_address(0));
  const EngineScope scope;
  const mazurka::threads::Process* named = runtime->find(process_of(thread));
  if (named == nullptr) return ESRCH;
  const ThreadName& known = named->name;
  if (size < known.size()) return ERANGE;
  runtime->use_outside("names of threads", Use::looks);
  teller.write(name, std::strlen(known.data()) + 1);
  std::strcpy(name, known.data());
  return 0;
}
MAZURKA_HOOK int pthread_setaffinity_np(pthread_t thread, std::size_t size,
                                        const cpu_set_t* set) noexcept {
  return scheduled() ? 0 : natively("pthread_setaffinity_np", thread, size, set);
}
MAZURKA_HOOK int pthread_getaffinity_np(pthread_t thread, std::size_t size,
                                        cpu_set_t* set) noexcept {
  if (!scheduled()) return natively("pthread_getaffinity_np", thread, size, set);
  Teller{__builtin_return_address(0)}.write(set, size);
  tell_processors(set, size);
  return 0;
}
MAZURKA_HOOK int sched_getaffinity(pid_t number, std::size_t size, cpu_set_t* set) noexcept {
  if (!scheduled()) return natively("sched_getaffinity", number, size, set);
  Teller{__builtin_return_address(0)}.write(set, size);
  tell_processors(set, size);
  return 0;
}
MAZURKA_HOOK int get_nprocs() noexcept {
  return scheduled() ? own_processors : natively("get_nprocs");
}
MAZURKA_HOOK int get_nprocs_conf() noexcept {
  return scheduled() ? own_processors : natively("get_nprocs_conf");
}
MAZURKA_HOOK long sysconf(int name) noexcept {
  const bool about_processors = name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF;
  return scheduled() && about_processors ? own_processors : natively<long>("sysconf", name);
}
MAZURKA_HOOK int pthread_setschedparam(pthread_t thread, int policy,
                                       const sched_param* parameters) noexcept {
  return scheduled() ? 0 : natively("pthread_setschedparam", thread, policy, parameters);
}
MAZURKA_HOOK int pthread_getschedparam(pthread_t thread, int* policy,
                                       sched_param* parameters) noexcept {
  if (!scheduled()) return natively("pthread_getschedparam", thread, policy, parameters);
  *policy = SCHED_OTHER;
  parameters->sched_priority = 0;
  return 0;
}
MAZURKA_HOOK int pthread_setschedprio(pthread_t thread, int priority) noexcept {
  return scheduled() ? 0 : natively("pthread_setschedprio", thread, priority);
}
MAZURKA_HOOK int pthread_setconcurrency(int level) noexcept {
  return scheduled() ? 0 : natively("pthread_setconcurrency", level);
}
MAZURKA_HOOK int pthread_getattr_np(pthread_t thread, pthread_attr_t* attributes) noexcept {
  if (!scheduled()) return natively("pthread_getattr_np", thread, attributes);
  const mazurka::threads::Process* asked = runtime->find(process_of(thread));
  if (asked == nullptr) return ESRCH;
  Teller{__builtin_return_address(0)}.write(attributes, sizeof *attributes);
  const EngineScope scope;
  native().pthread_attr_init(attributes);
  const std::size_t slot = mazurka::index(asked->id);
  auto* const stack =
      reinterpret_cast<void*>(mazurka::threads::slot_begin(slot) + mazurka::threads::guard_size);
  native().pthread_attr_setstack(attributes, stack,
                                 mazurka::threads::stack_size - mazurka::threads::guard_size);
  return pthread_attr_setdetachstate(
      attributes, asked->detached ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE);
}
// Time is the same for all that a process may measure of its threads.
MAZURKA_HOOK int pthread_getcpuclockid(pthread_t thread, clockid_t* clock) noexcept {
  if (!scheduled()) return natively("pthread_getcpuclockid", thread, clock);
  if (runtime->find(process_of(thread)) == nullptr) return ESRCH;
  Teller{__builtin_return_address(0)}.write(clock, sizeof *clock);
  *clock = CLOCK_THREAD_CPUTIME_ID;
  return 0;
}
// Mutexes that outlive their holders are not there; to say that they are not wanted is nothing.
MAZURKA_HOOK int pthread_mutexattr_setrobust(pthread_mutexattr_t* attributes, int robust) noexcept {
  if (scheduled() && robust == PTHREAD_MUTEX_ROBUST) {
    runtime->unsupported("pthread_mutexattr_setrobust()");
  }
  return natively("pthread_mutexattr_setrobust", attributes, robust);
}
MAZURKA_HOOK int pthread_mutex_consistent(pthread_mutex_t* mutex) noexcept {
  return scheduled() ? EINVAL : natively("pthread_mutex_consistent", mutex);
}
MAZURKA_HOOK int pthread_atfork(void (*)(), void (*)(), void (*)()) noexcept { return 0; }

// Nobody is ever cancelled (pthread_cancel is refused), so all of this does nothing.
MAZURKA_HOOK int pthread_setcancelstate(int state, int* before) {
  if (!scheduled()) return natively("pthread_setcancelstate", state, before);
  if (before != nullptr) *before = PTHREAD_CANCEL_ENABLE;
  return 0;
}
MAZURKA_HOOK int pthread_setcanceltype(int type, int* before) {
  if (!scheduled()) return natively("pthread_setcanceltype", type, before);
  if (before != nullptr) *before = PTHREAD_CANCEL_DEFERRED;
  return 0;
}
MAZURKA_HOOK void pthread_testcancel() {
  if (!scheduled()) natively<void>("pthread_testcancel");
}

// Clean-up handlers in C: the macro registers a place to jump to when the thread ends itself, runs
// the handler there and asks for the next one.
MAZURKA_HOOK void __pthread_register_cancel(__pthread_unwind_buf_t* buffer) {
  if (scheduled()) {
    mazurka::threads::EngineScope scope;
    runtime->current().cleanups.push_back(buffer);
  } else {
    natively<void>("__pthread_register_cancel", buffer);
  }
}
MAZURKA_HOOK void __pthread_unregister_cancel(__pthread_unwind_buf_t* buffer) {
  if (scheduled()) {
    if (!runtime->current().cleanups.empty()) runtime->current().cleanups.pop_back();
  } else {
    natively<void>("__pthread_unregister_cancel", buffer);
  }
}
MAZURKA_HOOK void __pthread_unwind_next(__pthread_unwind_buf_t* buffer) {
  if (!scheduled()) natively<void>("__pthread_unwind_next", buffer);
  pthread_exit(runtime->current().result);
}
