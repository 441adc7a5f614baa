// System calls about time and chance, which are the program's own: the same in every execution.
//
// The hooks know what the program would get to hear, so they are asked.
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>

#include <cerrno>

#include "programs/threads/runtime/machine/engine.hpp"
#include "programs/threads/runtime/runtime.hpp"
#include "programs/threads/runtime/surroundings/answers.hpp"

namespace mazurka::threads::answers {

namespace {

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

std::optional<Answer> about_time(const SystemCall& call) {
  const auto& [a, b, c, d, e, f] = call.arguments;
  const auto at = [&](std::size_t argument) {
    return reinterpret_cast<void*>(call.arguments[argument]);
  };
  switch (call.number) {
    case SYS_clock_gettime:
      return as_program([&] {
        return ::clock_gettime(static_cast<clockid_t>(call.arguments[0]),
                               static_cast<timespec*>(at(1)));
      });
    case SYS_gettimeofday:
      return as_program([&] { return ::gettimeofday(static_cast<timeval*>(at(0)), nullptr); });
#if defined(SYS_time)
    case SYS_time: return as_program([&] { return ::time(static_cast<time_t*>(at(0))); });
#endif
    case SYS_clock_getres: return passed_on(call);
    case SYS_nanosleep: return sleep(a);
    case SYS_clock_nanosleep: return (b & TIMER_ABSTIME) != 0 ? refused() : sleep(c);
    case SYS_getrandom:
      return as_program(
          [&] { return ::getrandom(at(0), static_cast<std::size_t>(call.arguments[1]), 0); });
    default: return std::nullopt;
  }
}

}  // namespace mazurka::threads::answers
