// What the program under test gets to hear when it asks the kernel for something that is not
// harmless (confinement.hpp). Runs in a signal handler, in the middle of whatever asked: nothing in
// here may let another process of the program run.
#include <fcntl.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/machine/confinement.hpp"
#include "programs/threads/runtime/machine/kernel.hpp"
#include "programs/threads/runtime/surroundings/surroundings.hpp"

namespace mazurka::threads {

namespace {

using Kind = Answer::Kind;
using Arguments = std::array<long, 6>;

Answer result(long value) {
  if (const char* why = ExecutionFiles::words(value)) return {Kind::refused, 0, why};
  return {Kind::result, value};
}

Answer passed_on(const SystemCall& call) {
  const auto& [a, b, c, d, e, f] = call.arguments;
  return result(call_kernel(call.number, a, b, c, d, e));
}

const char* text(long argument) { return reinterpret_cast<const char*>(argument); }

bool is_program(long number) {
  const long threads = static_cast<long>(max_processes);
  return number == 0 || (number >= own_number && number < own_number + threads) ||
         number == call_kernel(SYS_getpid);
}

// --- descriptors ---------------------------------------------------------------------------------

Answer opened(Answer answer) {
  if (answer.kind == Kind::result && answer.value >= 0) {
    surroundings.opened(static_cast<int>(answer.value));
  }
  return answer;
}

/// Something that makes, changes or closes a descriptor of the program's.
Answer about_descriptor(const SystemCall& call) {
  const bool has_target = call.number == SYS_dup3
#if defined(SYS_dup2)
                          || call.number == SYS_dup2
#endif
      ;
  if (surroundings.is_own(static_cast<int>(call.arguments[0])) ||
      (has_target && surroundings.is_own(static_cast<int>(call.arguments[1])))) {
    return result(-EBADF);
  }
  note_numbers(Use::changes);
  const bool closes = call.number == SYS_close;
  note_descriptor(static_cast<int>(call.arguments[0]), closes ? Use::changes : Use::looks);
  if (has_target) note_descriptor(static_cast<int>(call.arguments[1]), Use::changes);
  surroundings.descriptors_change();
  return closes ? passed_on(call) : opened(passed_on(call));
}

Answer change_descriptor(const SystemCall& call) {
  const auto descriptor = static_cast<int>(call.arguments[0]);
  switch (call.arguments[1]) {
    case F_DUPFD:
    case F_DUPFD_CLOEXEC: return about_descriptor(call);
    case F_GETFD:
    case F_GETFL: note_descriptor(descriptor, Use::looks); return passed_on(call);
    case F_SETFD:
    case F_SETFL: note_descriptor(descriptor, Use::changes); return passed_on(call);
    case F_GETLK:
    case F_SETLK:
    case F_OFD_GETLK:
    case F_OFD_SETLK:
    case F_ADD_SEALS:
    case F_GET_SEALS: note_open_file(descriptor, Use::changes); return passed_on(call);
    default: return {Kind::refused, 0};
  }
}

// --- files ---------------------------------------------------------------------------------------

Answer open_file(long folder, long path, long flags, long mode) {
  note_numbers(Use::changes);
  surroundings.descriptors_change();
  return opened(result(surroundings.files().open(
      static_cast<int>(folder), text(path), static_cast<int>(flags), static_cast<mode_t>(mode))));
}

/// Looks at a file by its name. `where`: which argument that is; what stands before it, if
/// anything, is the folder. `in_memory`: the same question about a descriptor.
template <typename InMemory>
Answer look_at_file(const SystemCall& call, std::size_t where, InMemory&& in_memory) {
  const auto folder = static_cast<int>(where == 0 ? AT_FDCWD : call.arguments[where - 1]);
  const long path = call.arguments[where];
  if (path == 0) return passed_on(call);
  const ExecutionFiles::Found found = surroundings.files().find(folder, text(path));
  if (found.error < 0) return result(found.error);
  switch (found.where) {
    case ExecutionFiles::Where::outside: return passed_on(call);
    case ExecutionFiles::Where::made_folder: {
      const long root = call_kernel(SYS_openat, AT_FDCWD, as_argument("/"), O_PATH);
      const Answer same = in_memory(root);
      call_kernel(SYS_close, root);
      return same;
    }
    case ExecutionFiles::Where::in_memory: break;
  }
  return in_memory(found.file);
}

Answer status(const SystemCall& call, std::size_t where) {
  return look_at_file(call, where, [&](long file) {
    return result(call_kernel(SYS_newfstatat, file, as_argument(""), call.arguments[where + 1],
                              AT_EMPTY_PATH));
  });
}

Answer extended_status(const SystemCall& call) {
  return look_at_file(call, 1, [&](long file) {
    return result(call_kernel(SYS_statx, file, as_argument(""), call.arguments[2] | AT_EMPTY_PATH,
                              call.arguments[3], call.arguments[4]));
  });
}

Answer access(const SystemCall& call, std::size_t where) {
  return look_at_file(call, where, [&](long) { return result(0); });
}

Answer read_link(const SystemCall& call, std::size_t where) {
  return look_at_file(call, where, [&](long) { return result(-EINVAL); });
}

Answer change_folder(const SystemCall& call) {
  if (call.number == SYS_chdir) {
    const ExecutionFiles::Found found =
        surroundings.files().find(AT_FDCWD, text(call.arguments[0]));
    if (found.where == ExecutionFiles::Where::made_folder) {
      return {Kind::refused, 0, "a change into a folder that the program has made"};
    }
  }
  runtime->use_outside("the current folder", Use::changes);
  surroundings.folder_changes();
  return passed_on(call);
}

// --- processes, signals, limits ------------------------------------------------------------------

Answer send_signal(const SystemCall& call, long process, long signal) {
  if (!is_program(process)) {
    return {Kind::refused, 0,
            "a signal to another process (" + std::to_string(process) +
                ", which is not the "
                "program's own number " +
                std::to_string(own_number) + ")"};
  }
  if (call.number == SYS_kill && process == 0) {
    return {Kind::refused, 0, "a signal to a group of processes"};
  }
  if (signal == 0) return result(0);
  runtime->use_outside("handlers of signals", Use::looks);
  if (!Dispositions::exists(signal)) return result(-EINVAL);
  if (Dispositions::is_in(runtime->current().blocked, static_cast<int>(signal))) {
    return {Kind::refused, 0, "a signal that is blocked"};
  }
  switch (surroundings.dispositions().effect(static_cast<int>(signal))) {
    case Dispositions::Effect::none: return result(0);
    case Dispositions::Effect::kills: return {Kind::killed, signal};
    case Dispositions::Effect::calls: return {Kind::refused, 0, "a signal that has a handler"};
    case Dispositions::Effect::stops: break;
  }
  return {Kind::refused, 0, "a signal that stops the program"};
}

Answer limits(const SystemCall& call) {
  const auto& [process, resource, wanted, before, e, f] = call.arguments;
  if (!is_program(process)) return {Kind::refused, 0, "limits of another process"};
  if (resource < 0 || resource >= RLIM_NLIMITS) return result(-EINVAL);
  runtime->use_outside("limits", wanted != 0 ? Use::changes : Use::looks);
  rlimit64 now{};
  std::optional<rlimit64>& set = surroundings.limit(static_cast<unsigned>(resource));
  if (set) {
    now = *set;
  } else if (const long asked = call_kernel(SYS_prlimit64, 0, resource, 0, as_argument(&now));
             asked < 0) {
    return result(asked);
  }
  if (wanted != 0) {
    const auto& to = *reinterpret_cast<const rlimit64*>(wanted);
    if (to.rlim_cur > to.rlim_max) return result(-EINVAL);
    if (to.rlim_max > now.rlim_max) return result(-EPERM);
    set = to;
  }
  if (before != 0) *reinterpret_cast<rlimit64*>(before) = now;
  return result(0);
}

/// Priorities and places mean nothing where we decide who runs.
Answer without_effect(long process, const char* whose) {
  if (!is_program(process)) return {Kind::refused, 0, whose};
  return result(0);
}

Answer set_priority(long process, long wanted) {
  if (!is_program(process)) return {Kind::refused, 0, "the priority of another process"};
  runtime->use_outside("the priority", Use::changes);
  const int priority = static_cast<int>(std::clamp(wanted, -20L, 19L));
  if (priority < surroundings.priority() && ::geteuid() != 0) return result(-EACCES);
  surroundings.priority() = priority;
  return result(0);
}

/// The name of the current thread.
Answer about_process(const SystemCall& call) {
  auto* text = reinterpret_cast<char*>(call.arguments[1]);
  ThreadName& name = runtime->current().name;
  switch (call.arguments[0]) {
    case PR_GET_NAME:
      runtime->use_outside("names of threads", Use::looks);
      std::memcpy(text, name.data(), name.size());
      return result(0);
    case PR_SET_NAME:
      runtime->use_outside("names of threads", Use::changes);
      std::strncpy(name.data(), text, name.size() - 1);
      return result(0);
    default: return {Kind::refused, 0};
  }
}

Answer about_signals(const SystemCall& call) {
  const auto& [a, b, c, d, e, f] = call.arguments;
  if (call.number == SYS_sigaltstack) {
    if (b != 0) *reinterpret_cast<stack_t*>(b) = {nullptr, SS_DISABLE, 0};
    return result(0);
  }
  // The handler comes first in the kernel's form of it, too.
  if (!Dispositions::exists(a)) return result(-EINVAL);
  runtime->use_outside("handlers of signals", b != 0 ? Use::changes : Use::looks);
  const struct sigaction before = surroundings.dispositions().of(static_cast<int>(a));
  if (b != 0) {
    struct sigaction action {};
    action.sa_handler = *reinterpret_cast<sighandler_t*>(b);
    surroundings.dispositions().set(static_cast<int>(a), action);
  }
  if (c != 0) {
    std::memset(reinterpret_cast<void*>(c), 0, 3 * sizeof(long) + static_cast<std::size_t>(d));
    *reinterpret_cast<sighandler_t*>(c) = before.sa_handler;
  }
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

// --- time and chance -----------------------------------------------------------------------------

/// The hook's answer, as the program would get it.
template <typename Hook>
Answer as_program(Hook&& hook) {
  inside_engine = false;
  const long value = hook();
  inside_engine = true;
  return result(value);
}

Answer sleep(long wanted) {
  if (wanted == 0) return result(-EFAULT);
  const auto& time = *reinterpret_cast<const timespec*>(wanted);
  runtime->current().time.now += time.tv_sec * second + time.tv_nsec;
  return result(0);
}

}  // namespace

Answer answer(const SystemCall& call) {
  const auto& [a, b, c, d, e, f] = call.arguments;
  switch (call.number) {
    // who it is
    case SYS_getpid: return result(own_number);
    case SYS_gettid: return result(own_number + static_cast<long>(index(runtime->current().id)));
    case SYS_getppid: return result(parent_number);
    case SYS_getpgid:
    case SYS_getsid:
      if (!is_program(a)) return {Kind::refused, 0, "a question about another process"};
      return result(own_number);
    case SYS_setuid:
    case SYS_setgid:
    case SYS_setreuid:
    case SYS_setregid:
    case SYS_setresuid:
    case SYS_setresgid:
      if (!is_identity_kept(call)) return {Kind::refused, 0, "another user or group"};
      return result(0);

    // how it ends
    case SYS_exit_group: return {Kind::ends, a};
    case SYS_kill:
    case SYS_tkill: return send_signal(call, a, b);
    case SYS_tgkill: return send_signal(call, a, c);

    // descriptors
    case SYS_close:
    case SYS_dup:
    case SYS_dup3: return about_descriptor(call);
    case SYS_fcntl: return change_descriptor(call);
    case SYS_close_range:
      runtime->use_unknown("close_range");
      return result(surroundings.close_range(static_cast<unsigned>(a), static_cast<unsigned>(b),
                                             static_cast<unsigned>(c)));
    case SYS_memfd_create:
      note_numbers(Use::changes);
      surroundings.descriptors_change();
      return opened(passed_on(call));

    // files by name
    case SYS_openat: return open_file(a, b, c, d);
    case SYS_unlinkat:
      return result(surroundings.files().unlink(static_cast<int>(a), text(b), static_cast<int>(c)));
    case SYS_mkdirat: return result(surroundings.files().make_folder(static_cast<int>(a), text(b)));
    case SYS_renameat2:
      if (e != 0) return {Kind::refused, 0};
      [[fallthrough]];
#if defined(SYS_renameat)
    case SYS_renameat:
#endif
      return result(
          surroundings.files().rename(static_cast<int>(a), text(b), static_cast<int>(c), text(d)));
    case SYS_newfstatat: return b != 0 && *text(b) != '\0' ? status(call, 1) : passed_on(call);
    case SYS_statx: return b != 0 && *text(b) != '\0' ? extended_status(call) : passed_on(call);
    case SYS_faccessat:
    case SYS_faccessat2: return access(call, 1);
    case SYS_readlinkat: return read_link(call, 1);
    case SYS_statfs: return passed_on(call);
    case SYS_fchmod:
    case SYS_fchown:
      if (!ExecutionFiles::is_in_memory(static_cast<int>(a))) return {Kind::refused, 0};
      note_open_file(static_cast<int>(a), Use::changes);
      return passed_on(call);
#if defined(SYS_open)
    case SYS_open: return open_file(AT_FDCWD, a, b, c);
    case SYS_creat: return open_file(AT_FDCWD, a, O_CREAT | O_WRONLY | O_TRUNC, b);
    case SYS_stat:
    case SYS_lstat: return status(call, 0);
    case SYS_access: return access(call, 0);
    case SYS_readlink: return read_link(call, 0);
    case SYS_unlink: return result(surroundings.files().unlink(AT_FDCWD, text(a), 0));
    case SYS_rmdir: return result(surroundings.files().unlink(AT_FDCWD, text(a), AT_REMOVEDIR));
    case SYS_mkdir: return result(surroundings.files().make_folder(AT_FDCWD, text(a)));
    case SYS_rename:
      return result(surroundings.files().rename(AT_FDCWD, text(a), AT_FDCWD, text(b)));
    case SYS_dup2: return about_descriptor(call);
    case SYS_getpgrp: return result(own_number);
#endif
    case SYS_chdir:
    case SYS_fchdir: return change_folder(call);
    case SYS_umask: {
      runtime->use_outside("the file mode mask", Use::changes);
      const Answer before = passed_on(call);
      surroundings.mode_mask_changes(static_cast<mode_t>(before.value));
      return before;
    }

    case SYS_prctl: return about_process(call);

    // limits and priorities
    case SYS_prlimit64: return limits(call);
#if defined(SYS_getrlimit)
    case SYS_getrlimit: return limits({SYS_prlimit64, {0, a, 0, b, 0, 0}});
    case SYS_setrlimit: return limits({SYS_prlimit64, {0, a, b, 0, 0, 0}});
#endif
    case SYS_setpriority:
      if (a != PRIO_PROCESS) return {Kind::refused, 0, "the priority of several processes"};
      return set_priority(b, c);
    case SYS_getpriority:
      if (!is_program(b)) return {Kind::refused, 0, "the priority of another process"};
      runtime->use_outside("the priority", Use::looks);
      return result(20 - surroundings.priority());
    case SYS_sched_setaffinity:
    case SYS_sched_setattr:
    case SYS_sched_setparam:
    case SYS_sched_setscheduler: return without_effect(a, "how another process is scheduled");
    case SYS_sched_getscheduler:
      if (!is_program(a)) return {Kind::refused, 0, "how another process is scheduled"};
      return result(SCHED_OTHER);
    case SYS_sched_getaffinity:
    case SYS_sched_getparam:
      if (!is_program(a)) return {Kind::refused, 0, "how another process is scheduled"};
      return passed_on({call.number, {0, b, c, d, e, f}});

    // signals, of which none ever comes
    case SYS_rt_sigaction:
    case SYS_sigaltstack: return about_signals(call);

    // time and chance
    case SYS_clock_gettime:
      return as_program([&] {
        return ::clock_gettime(static_cast<clockid_t>(call.arguments[0]),
                               reinterpret_cast<timespec*>(call.arguments[1]));
      });
    case SYS_gettimeofday:
      return as_program(
          [&] { return ::gettimeofday(reinterpret_cast<timeval*>(call.arguments[0]), nullptr); });
    case SYS_clock_getres: return passed_on(call);
    case SYS_nanosleep: return sleep(a);
    case SYS_clock_nanosleep:
      if ((b & TIMER_ABSTIME) != 0) return {Kind::refused, 0};
      return sleep(c);
    case SYS_getrandom:
      return as_program([&] {
        return ::getrandom(reinterpret_cast<void*>(call.arguments[0]),
                           static_cast<std::size_t>(call.arguments[1]), 0);
      });
#if defined(SYS_time)
    case SYS_time:
      return as_program([&] { return ::time(reinterpret_cast<time_t*>(call.arguments[0])); });
#endif
    default: return {Kind::refused, 0};
  }
}

}  // namespace mazurka::threads
