// System calls about limits, priorities and places to run: remembered for the program, and without
// effect. They mean nothing where we decide who runs.
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "programs/threads/runtime/runtime.hpp"
#include "programs/threads/runtime/surroundings/answers.hpp"
#include "programs/threads/runtime/surroundings/surroundings.hpp"

namespace mazurka::threads::answers {

namespace {

constexpr const char* other_scheduling = "how another process is scheduled";
constexpr const char* other_priority = "the priority of another process";

Answer limits(const SystemCall& call) {
  const auto& [process, resource, wanted, before, e, f] = call.arguments;
  if (!is_program(process)) return refused("limits of another process");
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

Answer priority(long process) {
  if (!is_program(process)) return refused(other_priority);
  runtime->use_outside("the priority", Use::looks);
  return result(20 - surroundings.priority());
}

Answer set_priority(long which, long process, long wanted) {
  if (which != PRIO_PROCESS) return refused("the priority of several processes");
  if (!is_program(process)) return refused(other_priority);
  runtime->use_outside("the priority", Use::changes);
  const int priority = static_cast<int>(std::clamp(wanted, -20L, 19L));
  if (priority < surroundings.priority() && ::geteuid() != 0) return result(-EACCES);
  surroundings.priority() = priority;
  return result(0);
}

}  // namespace

std::optional<Answer> about_limits(const SystemCall& call) {
  const auto& [a, b, c, d, e, f] = call.arguments;
  switch (call.number) {
    case SYS_prlimit64: return limits(call);
#if defined(SYS_getrlimit)
    case SYS_getrlimit: return limits({SYS_prlimit64, {0, a, 0, b, 0, 0}});
    case SYS_setrlimit: return limits({SYS_prlimit64, {0, a, b, 0, 0, 0}});
#endif
    case SYS_getpriority: return priority(b);
    case SYS_setpriority: return set_priority(a, b, c);
    case SYS_sched_setaffinity:
    case SYS_sched_setattr:
    case SYS_sched_setparam:
    case SYS_sched_setscheduler: return is_program(a) ? result(0) : refused(other_scheduling);
    case SYS_sched_getscheduler:
      if (!is_program(a)) return refused(other_scheduling);
      return result(SCHED_OTHER);
    case SYS_sched_getaffinity: {
      if (!is_program(a)) return refused(other_scheduling);
      std::memset(reinterpret_cast<void*>(c), 0, static_cast<std::size_t>(b));
      if (b < static_cast<long>(sizeof(long))) return result(-EINVAL);
      *reinterpret_cast<long*>(c) = (1L << own_processors) - 1;
      return result(sizeof(long));
    }
    case SYS_sched_getparam:
      return is_program(a) ? passed_on({call.number, {0, b, c, d, e, f}})
                           : refused(other_scheduling);
    default: return std::nullopt;
  }
}

}  // namespace mazurka::threads::answers
