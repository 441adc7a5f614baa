// Signals: none comes but those that the program sends to itself (dispositions.hpp).
//
// One that a thread sends to itself comes at once, as a call of its handler; or, while it is
// blocked, when it no longer is. One that is sent to another thread could come between any two of
// its instructions: that is refused, unless nothing depends on when it comes.
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/machine/confinement.hpp"
#include "programs/threads/runtime/surroundings/surroundings.hpp"
#include "programs/threads/runtime/teller.hpp"

using mazurka::ProcessId;
using mazurka::threads::Dispositions;
using mazurka::threads::natively;
using mazurka::threads::process_of;
using mazurka::threads::runtime;
using mazurka::threads::scheduled;
using mazurka::threads::surroundings;
using mazurka::threads::Teller;
using mazurka::threads::Use;
using Effect = Dispositions::Effect;
using Mask = Dispositions::Mask;

namespace {

Mask bit_of(int signal) { return Mask{1} << (signal - 1); }
int first_of(Mask signals) { return __builtin_ctzll(signals) + 1; }

int fail_by(int error) {
  errno = error;
  return -1;
}

[[noreturn]] void refuse(const std::string& call) { runtime->unsupported(call.c_str()); }

siginfo_t sent_by_itself(int signal, int code) {
  siginfo_t info{};
  info.si_signo = signal;
  info.si_code = code;
  info.si_pid = mazurka::threads::own_number;
  info.si_uid = ::getuid();
  return info;
}

void deliver_pending();

void call_handler(int signal, siginfo_t info) {
  Dispositions& dispositions = surroundings.dispositions();
  const struct sigaction action = dispositions.of(signal);
  if ((action.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) dispositions.set(signal, {});
  const Mask before = runtime->current().blocked;
  runtime->current().blocked = before | Dispositions::blocked_during(action, signal);
  if ((action.sa_flags & SA_SIGINFO) != 0) {
    ucontext_t context{};
    getcontext(&context);
    action.sa_sigaction(signal, &info, &context);
  } else {
    action.sa_handler(signal);
  }
  runtime->current().blocked = before;
  deliver_pending();
}

/// The signal comes to the current thread. `call`: what has sent it.
void deliver(const char* call, const siginfo_t& info) {
  const int signal = info.si_signo;
  mazurka::threads::use_handlers(Use::looks);
  const Dispositions& dispositions = surroundings.dispositions();
  const Effect effect = dispositions.effect(signal);
  if (effect == Effect::none) return;
  if (Dispositions::is_in(runtime->current().blocked, signal)) {
    if (info.si_code == SI_QUEUE) refuse(std::string(call) + " of a signal that is blocked");
    runtime->current().pending |= bit_of(signal);
    return;
  }
  switch (effect) {
    case Effect::none: break;
    case Effect::kills: runtime->kill_program(signal);
    case Effect::stops: refuse(std::string(call) + " of a signal that stops");
    case Effect::calls: call_handler(signal, info); break;
  }
}

/// What no longer has to wait comes.
void deliver_pending() {
  while (true) {
    mazurka::threads::Process& self = runtime->current();
    const Mask free = self.pending & ~self.blocked;
    if (free == 0) return;
    self.pending &= ~bit_of(first_of(free));
    deliver("a signal", sent_by_itself(first_of(free), SI_TKILL));
  }
}

/// A signal to another thread, or from another thread than the one that gets it. `receiver`: null
/// if any may get it.
int send_elsewhere(const char* call, const mazurka::threads::Process* receiver, int signal) {
  mazurka::threads::use_handlers(Use::looks);
  const Dispositions& dispositions = surroundings.dispositions();
  const Effect effect = dispositions.effect(signal);
  if (effect == Effect::none) return 0;
  const bool blocked = receiver == nullptr || Dispositions::is_in(receiver->blocked, signal);
  if (effect == Effect::kills && !blocked) runtime->kill_program(signal);
  refuse(std::string(call) + " of a signal that another thread may get");
}

/// To the process: its first thread gets it if it can.
int send_to_process(const char* call, pid_t number, siginfo_t info) {
  if (number != mazurka::threads::own_number) refuse(std::string(call) + " of another process");
  const int signal = info.si_signo;
  if (signal == 0) return 0;
  if (!Dispositions::exists(signal)) return fail_by(EINVAL);
  const mazurka::threads::Process& self = runtime->current();
  const bool gets_it = runtime->alone() || (self.id == mazurka::Run::root() &&
                                            !Dispositions::is_in(self.blocked, signal));
  if (!gets_it) return send_elsewhere(call, runtime->find(mazurka::Run::root()), signal);
  deliver(call, info);
  return 0;
}

int send_to_thread(const char* call, pthread_t thread, const siginfo_t& info) {
  const mazurka::threads::Process* receiver = runtime->find(process_of(thread));
  if (receiver == nullptr) return ESRCH;
  if (info.si_signo == 0) return 0;
  if (!Dispositions::exists(info.si_signo)) return EINVAL;
  if (receiver->id != runtime->current().id) return send_elsewhere(call, receiver, info.si_signo);
  deliver(call, info);
  return 0;
}

}  // namespace

// --- handlers ------------------------------------------------------------------------------------

MAZURKA_HOOK int sigaction(int signal, const struct sigaction* action,
                           struct sigaction* before) noexcept {
  if (!scheduled()) return natively("sigaction", signal, action, before);
  if (!Dispositions::exists(signal)) return fail_by(EINVAL);
  Dispositions& dispositions = surroundings.dispositions();
  mazurka::threads::use_handlers(action != nullptr ? Use::changes : Use::looks);
  const struct sigaction known = dispositions.of(signal);
  if (action != nullptr) dispositions.set(signal, *action);
  if ((signal == SIGSEGV || signal == SIGBUS) && surroundings.is_memory_protected() &&
      dispositions.effect(signal) == Effect::calls) {
    runtime->unsupported("memory that is protected so that a signal comes");
  }
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

// --- sending -------------------------------------------------------------------------------------

MAZURKA_HOOK int raise(int signal) noexcept {
  if (!scheduled()) return natively("raise", signal);
  if (signal == SIGABRT) abort();
  if (!Dispositions::exists(signal)) return fail_by(EINVAL);
  deliver("raise()", sent_by_itself(signal, SI_TKILL));
  return 0;
}
MAZURKA_HOOK int kill(pid_t number, int signal) noexcept {
  if (!scheduled()) return natively("kill", number, signal);
  return send_to_process("kill()", number, sent_by_itself(signal, SI_USER));
}
MAZURKA_HOOK int sigqueue(pid_t number, int signal, sigval value) noexcept {
  if (!scheduled()) return natively("sigqueue", number, signal, value);
  siginfo_t info = sent_by_itself(signal, SI_QUEUE);
  info.si_value = value;
  return send_to_process("sigqueue()", number, info);
}
MAZURKA_HOOK int pthread_kill(pthread_t thread, int signal) noexcept {
  if (!scheduled()) return natively("pthread_kill", thread, signal);
  return send_to_thread("pthread_kill()", thread, sent_by_itself(signal, SI_TKILL));
}
MAZURKA_HOOK int pthread_sigqueue(pthread_t thread, int signal, sigval value) noexcept {
  if (!scheduled()) return natively("pthread_sigqueue", thread, signal, value);
  siginfo_t info = sent_by_itself(signal, SI_QUEUE);
  info.si_value = value;
  return send_to_thread("pthread_sigqueue()", thread, info);
}

// Nothing is ever under way: to stop it changes nothing.
MAZURKA_HOOK unsigned alarm(unsigned seconds) noexcept {
  if (!scheduled()) return natively<unsigned>("alarm", seconds);
  if (seconds != 0) runtime->unsupported("alarm()");
  return 0;
}
MAZURKA_HOOK int setitimer(__itimer_which_t which, const itimerval* wanted,
                           itimerval* before) noexcept {
  if (!scheduled()) return natively("setitimer", which, wanted, before);
  if (wanted != nullptr && (wanted->it_value.tv_sec != 0 || wanted->it_value.tv_usec != 0)) {
    runtime->unsupported("setitimer()");
  }
  if (before != nullptr) *before = {};
  return 0;
}
MAZURKA_HOOK int getitimer(__itimer_which_t which, itimerval* now) noexcept {
  if (!scheduled()) return natively("getitimer", which, now);
  *now = {};
  return 0;
}

// --- blocking, and waiting -----------------------------------------------------------------------

namespace {

Mask mask_of(const sigset_t* set) {
  Mask mask = 0;
  std::memcpy(&mask, set, sizeof mask);  // the rest of it is not used
  return mask;
}

/// Returns an error, or 0.
int change_mask(const Teller& teller, int how, const sigset_t* set, sigset_t* before) {
  Mask& blocked = runtime->current().blocked;
  const Mask known = blocked;
  Mask wanted = 0;
  if (set != nullptr) {
    teller.read(set, sizeof wanted);
    wanted = mask_of(set);
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
  deliver_pending();
  return 0;
}

/// One of these signals that waits to come, which it now need not do any more; 0: there is none.
int take_pending(const sigset_t* set) {
  Mask& pending = runtime->current().pending;
  const Mask wanted = pending & mask_of(set);
  if (wanted == 0) return 0;
  pending &= ~bit_of(first_of(wanted));
  return first_of(wanted);
}

}  // namespace

MAZURKA_HOOK int sigprocmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  if (!scheduled()) return natively("sigprocmask", how, set, before);
  const int error = change_mask(Teller(__builtin_return_address(0)), how, set, before);
  return error == 0 ? 0 : fail_by(error);
}
MAZURKA_HOOK int pthread_sigmask(int how, const sigset_t* set, sigset_t* before) noexcept {
  if (!scheduled()) return natively("pthread_sigmask", how, set, before);
  return change_mask(Teller(__builtin_return_address(0)), how, set, before);
}
MAZURKA_HOOK int sigpending(sigset_t* set) noexcept {
  if (!scheduled()) return natively("sigpending", set);
  const Mask pending = runtime->current().pending;
  Teller(__builtin_return_address(0)).write(set, sizeof pending);
  sigemptyset(set);
  std::memcpy(set, &pending, sizeof pending);
  return 0;
}
// Who waits for a signal that has not been sent waits for ever: nobody else can send one.
MAZURKA_HOOK int sigwait(const sigset_t* set, int* signal) {
  if (!scheduled()) return natively("sigwait", set, signal);
  const int one = take_pending(set);
  if (one == 0) runtime->unsupported("sigwait() for a signal that has not been sent");
  Teller(__builtin_return_address(0)).write(signal, sizeof *signal);
  *signal = one;
  return 0;
}
MAZURKA_HOOK int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  if (!scheduled()) return natively("sigwaitinfo", set, info);
  const int one = take_pending(set);
  if (one == 0) runtime->unsupported("sigwaitinfo() for a signal that has not been sent");
  if (info != nullptr) *info = sent_by_itself(one, SI_TKILL);
  return one;
}
MAZURKA_HOOK int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* time) {
  if (!scheduled()) return natively("sigtimedwait", set, info, time);
  const int one = take_pending(set);
  if (one == 0 && time == nullptr) {
    runtime->unsupported("sigtimedwait() for a signal that has not been sent");
  }
  if (one == 0) {
    nanosleep(time, nullptr);
    return fail_by(EAGAIN);
  }
  if (info != nullptr) *info = sent_by_itself(one, SI_TKILL);
  return one;
}
MAZURKA_HOOK int sigsuspend(const sigset_t* set) {
  if (!scheduled()) return natively("sigsuspend", set);
  Mask& blocked = runtime->current().blocked;
  const Mask before = blocked;
  if ((runtime->current().pending & ~mask_of(set)) == 0) {
    runtime->unsupported("sigsuspend() for a signal that has not been sent");
  }
  blocked = mask_of(set);
  deliver_pending();
  blocked = before;
  return fail_by(EINTR);
}
