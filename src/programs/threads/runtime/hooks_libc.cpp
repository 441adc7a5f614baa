// Ends of the program, ends of threads, and calls that would wait for real time.
#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>

#include <exception>

#include "programs/threads/runtime/hooks.hpp"

using mazurka::FindingKind;
using mazurka::threads::EngineScope;
using mazurka::threads::native;
using mazurka::threads::runtime;
using mazurka::threads::scheduled;

MAZURKA_HOOK void exit(int code) {
  if (!scheduled()) native().exit(code);
  runtime->end_program(true);
}
MAZURKA_HOOK void _exit(int code) {
  if (!scheduled()) native()._exit(code);
  runtime->end_program(false);
  __builtin_unreachable();
}
MAZURKA_HOOK void _Exit(int code) { _exit(code); }
MAZURKA_HOOK void quick_exit(int code) {
  if (!scheduled()) native().quick_exit(code);
  runtime->end_program(false);
}

MAZURKA_HOOK void abort() {
  if (!scheduled()) native().abort();
  mazurka::threads::inside_engine = true;
  runtime->fail(
      FindingKind::abort, "abort() called",
      "abort " + std::to_string(reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))));
}

MAZURKA_HOOK void __assert_fail(const char* expression, const char* file, unsigned line,
                                const char* function) {
  if (!scheduled()) native().assert_fail(expression, file, line, function);
  mazurka::threads::inside_engine = true;
  runtime->fail(FindingKind::assertion, "assertion `" + std::string(expression) + "` fails",
                "assert " + std::string(file) + ":" + std::to_string(line));
}

namespace mazurka::threads {

namespace {

// Destructors of global objects are registered before main, when nothing can be allocated yet.
constexpr std::size_t max_early_handlers = 4096;
EarlyHandler early[max_early_handlers];
std::size_t early_count = 0;

}  // namespace

std::span<const EarlyHandler> early_handlers() { return {early, early_count}; }

}  // namespace mazurka::threads

MAZURKA_HOOK int __cxa_atexit(void (*function)(void*), void* argument, void* module) {
  if (!scheduled()) {
    using mazurka::threads::early;
    using mazurka::threads::early_count;
    if (runtime == nullptr && early_count < mazurka::threads::max_early_handlers) {
      early[early_count++] = {{function, argument}, module};
    }
    return native().cxa_atexit(function, argument, module);
  }
  EngineScope scope;
  runtime->add_exit_handler({function, argument});
  return 0;
}
MAZURKA_HOOK int __cxa_thread_atexit_impl(void (*function)(void*), void* argument, void* module) {
  if (!scheduled()) {
    return native().cxa_thread_atexit(reinterpret_cast<void (*)()>(function), argument, module);
  }
  EngineScope scope;
  runtime->current().thread_exit_handlers.push_back({function, argument});
  return 0;
}

// Time does not pass while a program is checked, and whoever yields lets nobody in particular go
// first: every order is explored anyway.
MAZURKA_HOOK int sched_yield() noexcept { return scheduled() ? 0 : native().sched_yield(); }
MAZURKA_HOOK unsigned sleep(unsigned seconds) { return scheduled() ? 0 : native().sleep(seconds); }
MAZURKA_HOOK int usleep(unsigned microseconds) {
  return scheduled() ? 0 : native().usleep(microseconds);
}
MAZURKA_HOOK int nanosleep(const timespec* wanted, timespec* left) {
  return scheduled() ? 0 : native().nanosleep(wanted, left);
}
MAZURKA_HOOK int clock_nanosleep(clockid_t clock, int flags, const timespec* wanted,
                                 timespec* left) {
  return scheduled() ? 0 : native().clock_nanosleep(clock, flags, wanted, left);
}

MAZURKA_HOOK long syscall(long number, ...) noexcept {
  va_list arguments;
  va_start(arguments, number);
  long value[6];
  for (long& one : value) one = va_arg(arguments, long);
  va_end(arguments);
  if (scheduled() && number == SYS_futex) {
    runtime->unsupported(
        "syscall(SYS_futex, ...), on which std::atomic::wait, std::latch, "
        "std::barrier and std::counting_semaphore rest,");
  }
  return native().syscall(number, value[0], value[1], value[2], value[3], value[4], value[5]);
}
