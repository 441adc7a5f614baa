#include "programs/threads/runtime/machine/signals.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#include "programs/threads/runtime/machine/kernel.hpp"
#include "programs/threads/runtime/machine/program_handlers.hpp"
#include "programs/threads/runtime/machine/stack_reserve.hpp"
#include "programs/threads/runtime/machine/traps.hpp"
#include "programs/threads/runtime/own_functions.hpp"
#include "programs/threads/runtime/runtime.hpp"
#include "programs/threads/runtime/surroundings/surroundings.hpp"

namespace mazurka::threads {

namespace {

constexpr std::size_t handler_stack_size = std::size_t{256} << 10;
constexpr int watchdog_signal = SIGVTALRM;

// What a handler leaves for the code that runs after it, on the landing stack.
struct Landing {
  void* stack = nullptr;
  int signal = 0;
  std::uintptr_t address = 0;
  bool has_address = false;
  std::uintptr_t code = 0;
  bool in_engine = false;
} landing;

struct Watch {
  std::uint64_t mark = 0;
  double since = 0;       // seconds of computing
  double real_since = 0;  // seconds that have passed
  double limit = 0;
} watch;

// An execution that is under way when we are asked to stop comes to its end, if that is near.
constexpr double last_moment = 0.1;
struct LastExecution {
  std::uint32_t number = 0;
  double since = 0;
} last_execution;

// A machine that is busy with other things lets a process wait; that is not the process's fault.
// But one that waits for something in the system does not compute either.
constexpr double patience = 10;

double seconds(clockid_t clock) {
  timespec now{};
  call_kernel(SYS_clock_gettime, clock, as_argument(&now));
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

void start_watching() {
  watch.since = seconds(CLOCK_PROCESS_CPUTIME_ID);
  watch.real_since = seconds(CLOCK_MONOTONIC);
}

std::uintptr_t program_counter(const ucontext_t& context) {
#if defined(__aarch64__)
  return context.uc_mcontext.pc;
#else
  return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
#endif
}

bool is_stack_full() {
  const std::uintptr_t address = landing.address;
  return landing.has_address && in_zone(address) &&
         address - slot_begin(slot_of(address)) < guard_size;
}

std::string describe() {
  const char* name = "a fatal signal";
  switch (landing.signal) {
    case SIGSEGV: name = "segmentation fault"; break;
    case SIGBUS: name = "bus error"; break;
    case SIGFPE: name = "arithmetic fault"; break;
    case SIGILL: name = "illegal instruction"; break;
    case SIGTRAP: name = "trap"; break;
    default: break;
  }
  std::string text = name;
  if (landing.signal == SIGSEGV || landing.signal == SIGBUS) {
    if (!landing.has_address) return text + " at an invalid address";
    if (is_stack_full()) return "stack overflow";
    char where[32];
    std::snprintf(where, sizeof where, " at address 0x%lx",
                  static_cast<unsigned long>(landing.address));
    text += where;
  }
  return text;
}

/// The function of MPI that was given a null pointer; null: it was something else.
const char* call_with_null() {
  constexpr std::uintptr_t first_page = 4096;
  const bool is_null = landing.signal == SIGSEGV && landing.has_address &&
                       landing.address < first_page && landing.in_engine;
  if (!is_null || runtime->ranks == nullptr) return nullptr;
  return runtime->ranks->call_under_way();
}

/// The program's handler would be called, and could not be.
void refuse_handler_if_any() {
  if (landing.signal == SIGABRT || !has_program_handler(landing.signal)) return;
  if (!is_stack_full()) runtime->unsupported("a handler of a signal that comes in a call");
  const struct sigaction& action = surroundings.dispositions().of(landing.signal);
  if ((action.sa_flags & SA_ONSTACK) == 0) return;  // without a stack it is not called anywhere
  runtime->unsupported("a handler of a signal that comes when the stack is full");
}

void crashed() {
  inside_engine = true;
  const std::string key = "crash " + std::to_string(landing.code);
  if (const char* const call = call_with_null(); call != nullptr) {
    runtime->fail(FindingKind::misuse, std::string(call) + ": an argument is a null pointer", key);
  }
  refuse_handler_if_any();
  if (landing.signal == SIGABRT) {
    runtime->fail(FindingKind::abort, "aborted by the C library", key);
  }
  runtime->fail(FindingKind::crash, describe(), key);
}

void stalled() { runtime->stall(); }
void broken_off() { runtime->break_off(); }
void idling() {
  inside_engine = true;
  const bool assumes = in_assumption(reinterpret_cast<const void*>(landing.code));
  if (!assumes) runtime->note_endless_loop();
  runtime->spins.idle(assumes);
}

// An endless loop without anything in it: one instruction that jumps to itself.
bool jumps_to_itself(std::uintptr_t code) {
#if defined(__aarch64__)
  return *reinterpret_cast<const std::uint32_t*>(code) == 0x14000000U;
#else
  const auto* bytes = reinterpret_cast<const unsigned char*>(code);
  return bytes[0] == 0xeb && bytes[1] == 0xfe;
#endif
}

void remember_stack() {
  const bool before = inside_engine;
  inside_engine = true;
  runtime->set_failure_stack(capture_stack());
  inside_engine = before;
}

// One crash after the other, and nobody gets anywhere: what the program has destroyed is ours.
bool is_lost() {
  constexpr unsigned most = 4096;
  static std::uint64_t mark = 0;
  static unsigned crashes = 0;
  if (std::exchange(mark, runtime->progress_mark()) != runtime->progress_mark()) crashes = 0;
  return ++crashes > most;
}

void handle_crash(int signal, siginfo_t* info, void* raw_context) {
  if (runtime != nullptr) die_if_overwritten();
  auto& context = *static_cast<ucontext_t*>(raw_context);
  if (signal == SIGTRAP && traps.handle(context)) return;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (runtime != nullptr && (signal == SIGSEGV || signal == SIGBUS) &&
      runtime->snapshot().handle_write_fault(address)) {
    return;
  }
  const bool in_program = runtime != nullptr && runtime->running() && checking && !inside_engine;
  if (in_program && signal != SIGABRT && has_program_handler(signal) &&
      call_program_handler(signal, *info, context)) {
    return;
  }
  if (signal == SIGSEGV && runtime != nullptr && runtime->running() && inside_engine &&
      open_stack_reserve(address)) {
    stall_requested = true;
    return;
  }
  if (runtime == nullptr || !runtime->running() || is_lost()) {
    ::signal(signal, SIG_DFL);  // not the program under test: die of it
    return;
  }
  landing.signal = signal;
  landing.address = address;
  // x86-64: no address is told for one that no memory can have.
  landing.has_address = info->si_code != SI_KERNEL;
  landing.code = program_counter(context);
  landing.in_engine = inside_engine;
  if (runtime->recorder() != nullptr) remember_stack();
  land_in(context, crashed);
}

// Whether we were asked to stop, and the execution goes on and on nevertheless.
bool overdue() {
  if (!runtime->is_asked_to_stop()) return false;
  const double now = seconds(CLOCK_MONOTONIC);
  if (last_execution.number != runtime->execution_number() || last_execution.since == 0) {
    last_execution = {runtime->execution_number(), now};
  }
  return now - last_execution.since > last_moment;
}

void handle_watchdog(int, siginfo_t*, void* raw_context) {
  if (runtime == nullptr) return;
  die_if_overwritten();
  const std::uint64_t mark = runtime->progress_mark();
  auto& context = *static_cast<ucontext_t*>(raw_context);
  if (checking && !inside_engine && runtime->running() && overdue()) {
    land_in(context, broken_off);
    return;
  }
  if (watch.limit <= 0) return;
  if (checking && !inside_engine && runtime->running() &&
      jumps_to_itself(program_counter(context))) {
    landing.code = program_counter(context);
    remember_stack();
    land_in(context, idling);
    return;
  }
  if (mark != watch.mark || !checking) {
    watch.mark = mark;
    start_watching();
    return;
  }
  const double spent = seconds(CLOCK_PROCESS_CPUTIME_ID) - watch.since;
  const double passed = seconds(CLOCK_MONOTONIC) - watch.real_since;
  if ((spent < watch.limit && passed < watch.limit * patience) || !runtime->running()) return;
  if (inside_engine) {
    stall_requested = true;
    return;
  }
  remember_stack();
  start_watching();
  land_in(context, stalled);
}

void* map_stack() {
  return mmap(nullptr, handler_stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
              0);
}

}  // namespace

namespace {

void enter(ucontext_t& context, std::uintptr_t top, void (*function)()) {
#if defined(__aarch64__)
  context.uc_mcontext.pc = reinterpret_cast<std::uintptr_t>(function);
  context.uc_mcontext.sp = top & ~std::uintptr_t{15};
  context.uc_mcontext.regs[29] = 0;
  context.uc_mcontext.regs[30] = 0;
#else
  context.uc_mcontext.gregs[REG_RIP] = reinterpret_cast<greg_t>(function);
  context.uc_mcontext.gregs[REG_RSP] = static_cast<greg_t>((top & ~std::uintptr_t{15}) - 8);
  context.uc_mcontext.gregs[REG_RBP] = 0;
  // What was interrupted may have been copying backwards, or asked for traps; functions may not be
  // entered like that.
  constexpr greg_t single_step = 0x100;
  constexpr greg_t backwards = 0x400;
  constexpr greg_t check_alignment = 0x40000;
  context.uc_mcontext.gregs[REG_EFL] &= ~(single_step | backwards | check_alignment);
#endif
}

}  // namespace

std::uintptr_t stack_pointer(const ucontext_t& context) {
#if defined(__aarch64__)
  return context.uc_mcontext.sp;
#else
  return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
#endif
}

void land_in(ucontext_t& context, void (*function)()) {
  enter(context, reinterpret_cast<std::uintptr_t>(landing.stack) + handler_stack_size - 64,
        function);
}

void go_on_in(ucontext_t& context, void (*function)()) {
  constexpr std::uintptr_t red_zone = 128;  // below the stack pointer, and in use
  enter(context, stack_pointer(context) - red_zone, function);
}

void go_on_at(ucontext_t& context, std::uintptr_t stack, void (*function)(void*), void* argument) {
  enter(context, stack, reinterpret_cast<void (*)()>(function));
#if defined(__aarch64__)
  context.uc_mcontext.regs[0] = reinterpret_cast<std::uintptr_t>(argument);
#else
  *reinterpret_cast<std::uintptr_t*>(context.uc_mcontext.gregs[REG_RSP]) = 0;  // nobody has called
  context.uc_mcontext.gregs[REG_RDI] = reinterpret_cast<greg_t>(argument);
#endif
}

void install_signal_handlers(double stall_seconds) {
  landing.stack = map_stack();
  stack_t handler_stack{};
  handler_stack.ss_sp = map_stack();
  handler_stack.ss_size = handler_stack_size;
  sigaltstack(&handler_stack, nullptr);

  struct sigaction action {};
  // Nested: telling where a crash happened may be the first to write to some protected page.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  sigaddset(&action.sa_mask, watchdog_signal);
  action.sa_sigaction = handle_crash;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT}) {
    sigaction(signal, &action, nullptr);
  }
  watch.limit = stall_seconds;
  start_watching();
  action.sa_flags |= SA_RESTART;
  action.sa_sigaction = handle_watchdog;
  sigaction(watchdog_signal, &action, nullptr);
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = watchdog_signal;
  timer_t timer{};
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return;
  const double usual_tick = 0.02;
  const auto tick = static_cast<long>(
      (stall_seconds > 0 ? std::min(usual_tick, stall_seconds / 8) : usual_tick) * 1e9);
  itimerspec often{};
  often.it_interval = {tick / 1'000'000'000, tick % 1'000'000'000};
  often.it_value = often.it_interval;
  timer_settime(timer, 0, &often, nullptr);
}

}  // namespace mazurka::threads
