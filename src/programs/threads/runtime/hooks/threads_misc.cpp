// The small change of POSIX threads: names, places, priorities, cancellation that never comes, and
// clean-up handlers of C programs.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>

#include <cstdlib>
#include <cstring>

#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/surroundings/surroundings.hpp"
#include "programs/threads/runtime/teller.hpp"

using mazurka::threads::Dispositions;
using mazurka::threads::EngineScope;
using mazurka::threads::natively;
using mazurka::threads::process_of;
using mazurka::threads::runtime;
using mazurka::threads::scheduled;
using mazurka::threads::Teller;
using mazurka::threads::ThreadName;
using mazurka::threads::Use;

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
  std::memset(set, 0, size);
  CPU_SET(0, set);
  return 0;
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

// No signal comes but those that the program sends to itself (dispositions.hpp).
MAZURKA_HOOK int sigaction(int signal, const struct sigaction* action,
                           struct sigaction* before) noexcept {
  if (!scheduled()) return natively("sigaction", signal, action, before);
  if (!Dispositions::exists(signal)) {
    errno = EINVAL;
    return -1;
  }
  Dispositions& dispositions = mazurka::threads::surroundings.dispositions();
  runtime->use_outside("handlers of signals", action != nullptr ? Use::changes : Use::looks);
  const struct sigaction known = dispositions.of(signal);
  if (action != nullptr) dispositions.set(signal, *action);
  if (before != nullptr) *before = known;
  return 0;
}
MAZURKA_HOOK sighandler_t signal(int number, sighandler_t handler) noexcept {
  if (!scheduled()) return natively<sighandler_t>("signal", number, handler);
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = handler;
  return sigaction(number, &action, &before) == 0 ? before.sa_handler : SIG_ERR;
}
MAZURKA_HOOK int raise(int signal) noexcept {
  if (!scheduled()) return natively("raise", signal);
  if (signal == SIGABRT) abort();
  if (!Dispositions::exists(signal)) {
    errno = EINVAL;
    return -1;
  }
  const Dispositions& dispositions = mazurka::threads::surroundings.dispositions();
  runtime->use_outside("handlers of signals", Use::looks);
  if (Dispositions::is_in(runtime->current().blocked, signal)) {
    runtime->unsupported("raise() of a signal that is blocked");
  }
  const struct sigaction& action = dispositions.of(signal);
  switch (dispositions.effect(signal)) {
    case Dispositions::Effect::none: break;
    case Dispositions::Effect::kills: runtime->kill_program(signal);
    case Dispositions::Effect::stops: runtime->unsupported("raise() of a signal that stops");
    case Dispositions::Effect::calls:
      if ((action.sa_flags & SA_SIGINFO) != 0) {
        runtime->unsupported("raise() of a signal whose handler wants to know more");
      }
      action.sa_handler(signal);
      break;
  }
  return 0;
}

namespace {

/// Returns an error, or 0.
int change_mask(const Teller& teller, int how, const sigset_t* set, sigset_t* before) {
  Dispositions::Mask& blocked = runtime->current().blocked;
  const Dispositions::Mask known = blocked;
  Dispositions::Mask wanted = 0;
  if (set != nullptr) {
    teller.read(set, sizeof wanted);
    std::memcpy(&wanted, set, sizeof wanted);  // the rest of it is not used
  }
  if (set != nullptr && how == SIG_BLOCK) {
    blocked |= wanted;
  } else if (set != nullptr && how == SIG_UNBLOCK) {
    blocked &= ~wanted;
  } else if (set != nullptr && how == SIG_SETMASK) {
    blocked = wanted;
  } else if (set != nullptr) {
    return EINVAL;
  }
  if (before != nullptr) {
    teller.write(before, sizeof known);
    sigemptyset(before);
    std::memcpy(before, &known, sizeof known);
  }
  return 0;
}

}  // namespace

MAZURKA_HOOK int sigprocmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  if (!scheduled()) return natively("sigprocmask", how, set, before);
  const int error = change_mask(Teller(__builtin_return_address(0)), how, set, before);
  if (error != 0) errno = error;
  return error == 0 ? 0 : -1;
}
MAZURKA_HOOK int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  if (!scheduled()) return natively("pthread_sigmask", how, set, before);
  return change_mask(Teller(__builtin_return_address(0)), how, set, before);
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
