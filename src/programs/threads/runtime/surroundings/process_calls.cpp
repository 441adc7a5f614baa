// System calls about the process: who it is, how it ends, and signals.
//
// The program and its threads have numbers that are the same in every execution. No signal comes
// but those that the program sends to itself (dispositions.hpp).
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "programs/threads/runtime/runtime.hpp"
#include "programs/threads/runtime/surroundings/answers.hpp"
#include "programs/threads/runtime/surroundings/surroundings.hpp"

namespace mazurka::threads::answers {

namespace {

Answer send_signal(const SystemCall& call, long process, long signal) {
  if (!is_program(process)) {
    return refused("a signal to another process (" + std::to_string(process) +
                   ", which is not the program's own number " + std::to_string(own_number) + ")");
  }
  if (call.number == SYS_kill && process == 0) return refused("a signal to a group of processes");
  if (signal == 0) return result(0);
  use_handlers(Use::looks);
  if (!Dispositions::exists(signal)) return result(-EINVAL);
  if (Dispositions::is_in(runtime->current().blocked, static_cast<int>(signal))) {
    return refused("a signal that is blocked");
  }
  switch (surroundings.dispositions().effect(static_cast<int>(signal))) {
    case Dispositions::Effect::none: return result(0);
    case Dispositions::Effect::kills: return {Answer::Kind::killed, signal};
    case Dispositions::Effect::calls: return refused("a signal that has a handler");
    case Dispositions::Effect::stops: break;
  }
  return refused("a signal that stops the program");
}

Answer signal_action(const SystemCall& call) {
  const auto& [signal, wanted, old, size, e, f] = call.arguments;
  // The handler comes first in the kernel's form of it, too.
  if (!Dispositions::exists(signal)) return result(-EINVAL);
  use_handlers(wanted != 0 ? Use::changes : Use::looks);
  const struct sigaction before = surroundings.dispositions().of(static_cast<int>(signal));
  if (wanted != 0) {
    struct sigaction action {};
    action.sa_handler = *reinterpret_cast<sighandler_t*>(wanted);
    action.sa_flags = static_cast<int>(reinterpret_cast<const unsigned long*>(wanted)[1]);
    std::memcpy(&action.sa_mask, reinterpret_cast<const unsigned long*>(wanted) + 3,
                sizeof(Dispositions::Mask));
    surroundings.dispositions().set(static_cast<int>(signal), action);
  }
  if (old != 0) {
    std::memset(reinterpret_cast<void*>(old), 0, 3 * sizeof(long) + static_cast<std::size_t>(size));
    *reinterpret_cast<sighandler_t*>(old) = before.sa_handler;
  }
  return result(0);
}

Answer signal_stack(long old) {
  if (old != 0) *reinterpret_cast<stack_t*>(old) = {nullptr, SS_DISABLE, 0};
  return result(0);
}

bool is_identity_kept(const SystemCall& call) {
  const auto all_of = [&](std::size_t count, long now) {
    for (std::size_t at = 0; at < count; ++at) {
      const long wanted = call.arguments[at];
      if (wanted != now && static_cast<int>(wanted) != -1) return false;
    }
    return true;
  };
  switch (call.number) {
    case SYS_setuid: return all_of(1, ::geteuid());
    case SYS_setgid: return all_of(1, ::getegid());
    case SYS_setreuid: return all_of(2, ::geteuid());
    case SYS_setregid: return all_of(2, ::getegid());
    case SYS_setresuid: return all_of(3, ::geteuid());
    default: return all_of(3, ::getegid());
  }
}

}  // namespace

bool is_program(long number) {
  const long threads = static_cast<long>(max_processes);
  return number == 0 || (number >= own_number && number < own_number + threads) ||
         number == call_kernel(SYS_getpid);
}

std::optional<Answer> about_process(const SystemCall& call) {
  const auto& [a, b, c, d, e, f] = call.arguments;
  switch (call.number) {
    // who it is
    case SYS_getpid: return result(own_number);
    case SYS_gettid: return result(own_number + static_cast<long>(index(runtime->current().id)));
    case SYS_getppid: return result(parent_number);
    case SYS_getpgid:
    case SYS_getsid:
      return is_program(a) ? result(own_number) : refused("a question about another process");
#if defined(SYS_getpgrp)
    case SYS_getpgrp: return result(own_number);
#endif
    case SYS_setuid:
    case SYS_setgid:
    case SYS_setreuid:
    case SYS_setregid:
    case SYS_setresuid:
    case SYS_setresgid:
      return is_identity_kept(call) ? result(0) : refused("another user or group");
    case SYS_prctl: return process_option(call);

    // how it ends
    case SYS_exit_group: return Answer{Answer::Kind::ends, a};
    case SYS_kill:
    case SYS_tkill: return send_signal(call, a, b);
    case SYS_tgkill: return send_signal(call, a, c);

    // signals, of which none ever comes
    case SYS_rt_sigaction: return signal_action(call);
    case SYS_sigaltstack: return signal_stack(b);
    default: return std::nullopt;
  }
}

}  // namespace mazurka::threads::answers
