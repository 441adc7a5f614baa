// Ends of the program, ends of threads, and calls that would wait for real time.
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <exception>

#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/machine/call_site.hpp"
#include "programs/threads/runtime/own_functions.hpp"
#include "programs/threads/runtime/surroundings/surroundings.hpp"

using mazurka::FindingKind;
using mazurka::threads::EngineScope;
using mazurka::threads::native;
using mazurka::threads::runtime;
using mazurka::threads::scheduled;
using mazurka::threads::Use;
using mazurka::threads::use_open_file;

MAZURKA_HOOK void exit(int code) {
  if (!scheduled()) native().exit(code);
  runtime->threads.end_program(true, code);
}
MAZURKA_HOOK void _exit(int code) {
  if (!scheduled()) native()._exit(code);
  runtime->threads.end_program(false, code);
  __builtin_unreachable();
}
MAZURKA_HOOK void _Exit(int code) { _exit(code); }
MAZURKA_HOOK void quick_exit(int code) {
  if (!scheduled()) native().quick_exit(code);
  runtime->threads.end_program(false, code);
}

MAZURKA_HOOK void abort() {
  if (!scheduled()) native().abort();
  if (mazurka::threads::aborts_are_assumptions()) {
    runtime->sections.take_back_block(__builtin_dwarf_cfa());
    runtime->spins.give_up();
  }
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

// An assertion of the C++ library's, in its headers or in the library itself.
MAZURKA_HOOK void _ZSt21__glibcxx_assert_failPKciS0_S0_(const char* file, int line,
                                                        const char* function,
                                                        const char* condition) {
  if (!scheduled()) {
    void* const native_one =
        mazurka::threads::native_symbol("_ZSt21__glibcxx_assert_failPKciS0_S0_");
    using Fail = void(const char*, int, const char*, const char*);
    reinterpret_cast<Fail*>(native_one)(file, line, function, condition);
  }
  mazurka::threads::inside_engine = true;
  const std::string text = condition == nullptr ? "" : " `" + std::string(condition) + "`";
  runtime->fail(FindingKind::assertion, "assertion" + text + " of the C++ library fails",
                "assert " + std::string(file == nullptr ? "" : file) + ":" + std::to_string(line));
}

MAZURKA_HOOK int __cxa_atexit(void (*function)(void*), void* argument, void* object) {
  if (!scheduled()) {
    return native().cxa_atexit(function, argument, object);
  }
  runtime->threads.add_exit_handler({function, argument, object});
  return 0;
}
MAZURKA_HOOK void __cxa_finalize(void* object) {
  if (!scheduled()) {
    native().cxa_finalize(object);
  } else {
    runtime->threads.run_exit_handlers(object);
  }
}
MAZURKA_HOOK int __cxa_thread_atexit_impl(void (*function)(void*), void* argument, void* module) {
  if (!scheduled()) {
    return native().cxa_thread_atexit(reinterpret_cast<void (*)()>(function), argument, module);
  }
  EngineScope scope;
  runtime->current().thread_exit_handlers.push_back({function, argument});
  return 0;
}

namespace {

// How long a futex is waited for counts from now, unless a bit set is given as well.
void set_deadline(long operation, timespec time) {
  if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT) {
    const std::int64_t until = runtime->current().time.now + mazurka::threads::uptime +
                               time.tv_sec * mazurka::threads::second + time.tv_nsec;
    time = {until / mazurka::threads::second, until % mazurka::threads::second};
  }
  runtime->timing.set_deadline(time);
}

[[noreturn]] void refuse_futex(long command) {
  switch (command) {
    case FUTEX_WAIT_BITSET: runtime->unsupported("FUTEX_WAIT_BITSET with some bits only");
    case FUTEX_WAKE_BITSET: runtime->unsupported("FUTEX_WAKE_BITSET with some bits only");
    case FUTEX_REQUEUE: runtime->unsupported("FUTEX_REQUEUE");
    case FUTEX_CMP_REQUEUE: runtime->unsupported("FUTEX_CMP_REQUEUE");
    case FUTEX_WAKE_OP: runtime->unsupported("FUTEX_WAKE_OP");
    case FUTEX_LOCK_PI:
    case FUTEX_TRYLOCK_PI:
    case FUTEX_UNLOCK_PI: runtime->unsupported("a futex with priorities (FUTEX_LOCK_PI, ...)");
    default: break;
  }
  runtime->unsupported("syscall(SYS_futex, ...) other than FUTEX_WAIT and FUTEX_WAKE");
}

long futex(const long* value) {
  auto* word = reinterpret_cast<std::uint32_t*>(value[0]);
  constexpr long any_bit = 0xffffffff;
  int result = 0;
  switch (value[1] & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
      if ((value[1] & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET && (value[5] & any_bit) != any_bit)
        break;
      if (value[3] != 0) set_deadline(value[1], *reinterpret_cast<const timespec*>(value[3]));
      result = runtime->futexes.wait(word, static_cast<std::uint32_t>(value[2]), value[3] != 0);
      if (result == ETIMEDOUT) runtime->timing.pass_deadline();
      if (result == 0) return 0;
      errno = result;
      return -1;
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
      if ((value[1] & FUTEX_CMD_MASK) == FUTEX_WAKE_BITSET && (value[5] & any_bit) != any_bit)
        break;
      if (static_cast<int>(value[2]) <= 0) return 0;
      return runtime->futexes.wake(word, static_cast<int>(value[2]) == INT_MAX
                                             ? mazurka::threads::Conditions::everybody
                                             : static_cast<std::size_t>(value[2]));
    default: break;
  }
  refuse_futex(value[1] & FUTEX_CMD_MASK);
}

}  // namespace

namespace {

// What the kernel's filter lets through (the rest is noted where it is answered).
void note_system_call(long number, long file) {
  const auto descriptor = static_cast<int>(file);
  switch (number) {
    case SYS_read:
    case SYS_readv:
    case SYS_lseek:
    case SYS_ftruncate:
    case SYS_fallocate:
    case SYS_flock:
    case SYS_getdents64:
    case SYS_preadv2:
    case SYS_pwritev2: return use_open_file(descriptor, Use::changes);
    case SYS_write:
    case SYS_writev:
    case SYS_pwrite64:
    case SYS_pwritev: return use_open_file(descriptor, Use::adds);
    case SYS_fstat:
    case SYS_pread64:
    case SYS_preadv: return use_open_file(descriptor, Use::looks);
    case SYS_getcwd: return runtime->use_outside("the current folder", Use::looks);
    case SYS_copy_file_range: return runtime->use_unknown("copy_file_range");
    case SYS_sendfile: return runtime->use_unknown("sendfile");
    default: break;
  }
}

}  // namespace

// Whether this command of membarrier(2) is one, and does not only ask or register.
static bool is_barrier(long command) {
  constexpr long barriers = MEMBARRIER_CMD_GLOBAL | MEMBARRIER_CMD_GLOBAL_EXPEDITED |
                            MEMBARRIER_CMD_PRIVATE_EXPEDITED |
                            MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE;
  return (command & barriers) != 0;
}

// Entered through a call site: a futex may be what a loop waits for.
MAZURKA_SITE_HOOK(long, syscall, long number, long a, long b, long c, long d, long e, long f) {
  const long value[6] = {a, b, c, d, e, f};
  if (scheduled()) {
    switch (number) {
      case SYS_futex: return futex(value);
      case SYS_gettid: return gettid();
      case SYS_getpid: return getpid();
      case SYS_sched_yield: return 0;
      case SYS_rt_sigprocmask: runtime->unsupported("syscall(SYS_rt_sigprocmask, ...)");
      case SYS_munmap: return munmap(reinterpret_cast<void*>(a), static_cast<std::size_t>(b));
      case SYS_mmap:
        return reinterpret_cast<long>(mmap(reinterpret_cast<void*>(a), static_cast<std::size_t>(b),
                                           static_cast<int>(c), static_cast<int>(d),
                                           static_cast<int>(e), f));
      case SYS_membarrier: {
        const long result = native().syscall(number, a, b, c, 0L, 0L, 0L);
        if (result == 0 && is_barrier(a)) runtime->accesses.fence_everybody();
        return result;
      }
      case SYS_clone:
#if defined(SYS_fork)
      case SYS_fork:
#endif
        runtime->unsupported("syscall(SYS_clone or SYS_fork, ...)");
      default: note_system_call(number, a);
    }
  }
  return native().syscall(number, value[0], value[1], value[2], value[3], value[4], value[5]);
}
