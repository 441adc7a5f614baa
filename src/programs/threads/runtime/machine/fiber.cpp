#include "programs/threads/runtime/machine/fiber.hpp"

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <string>

#include "core/check.hpp"
#include "programs/threads/runtime/machine/kernel.hpp"
#include "programs/threads/runtime/machine/memory.hpp"
#include "programs/threads/runtime/machine/native.hpp"

#if defined(__x86_64__)
#include <asm/prctl.h>
#include <sys/auxv.h>
#endif

extern "C" {
__attribute__((visibility("hidden"))) void mazurka_switch_stack(void** save, void* load);
__attribute__((visibility("hidden"))) void mazurka_fiber_start();
}

// The floating-point registers of control and status differ between fibers as good as never, and
// are slow to write: they are compared first.
#if defined(__aarch64__)
// `br` rather than `ret`: the return predictor would be wrong every time.
asm(R"(
    .text
    .p2align 4
    .globl mazurka_switch_stack
    .hidden mazurka_switch_stack
    .type mazurka_switch_stack, %function
mazurka_switch_stack:
    stp x19, x20, [sp, #-176]!
    stp x21, x22, [sp, #16]
    stp x23, x24, [sp, #32]
    stp x25, x26, [sp, #48]
    stp x27, x28, [sp, #64]
    stp x29, x30, [sp, #80]
    stp d8,  d9,  [sp, #96]
    stp d10, d11, [sp, #112]
    stp d12, d13, [sp, #128]
    stp d14, d15, [sp, #144]
    mrs x10, fpcr
    mrs x11, fpsr
    stp x10, x11, [sp, #160]
    mov x9, sp
    str x9, [x0]
    mov sp, x1
    ldp x12, x13, [sp, #160]
    ldp x21, x22, [sp, #16]
    ldp x23, x24, [sp, #32]
    ldp x25, x26, [sp, #48]
    ldp x27, x28, [sp, #64]
    ldp x29, x30, [sp, #80]
    ldp d8,  d9,  [sp, #96]
    ldp d10, d11, [sp, #112]
    ldp d12, d13, [sp, #128]
    ldp d14, d15, [sp, #144]
    ldp x19, x20, [sp], #176
    cmp x10, x12
    ccmp x11, x13, #0, eq
    b.ne 1f
    mov x16, x30
    br x16
1:  msr fpcr, x12
    msr fpsr, x13
    mov x16, x30
    br x16
    .size mazurka_switch_stack, .-mazurka_switch_stack

    .globl mazurka_fiber_start
    .hidden mazurka_fiber_start
    .type mazurka_fiber_start, %function
mazurka_fiber_start:
    .cfi_startproc
    .cfi_undefined x30
    mov x0, x19
    mov x29, xzr
    blr x20
    brk #1
    .cfi_endproc
    .size mazurka_fiber_start, .-mazurka_fiber_start
)");
#elif defined(__x86_64__)
// What the x87 unit has to say about past exceptions is not kept: it takes long to load.
asm(R"(
    .text
    .p2align 4
    .globl mazurka_switch_stack
    .hidden mazurka_switch_stack
    .type mazurka_switch_stack, @function
mazurka_switch_stack:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    subq $8, %rsp
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
    movl (%rsp), %eax
    movzwl 4(%rsp), %edx
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    cmpl (%rsp), %eax
    jne 1f
    cmpw 4(%rsp), %dx
    jne 1f
2:  addq $8, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    popq %rcx
    jmpq *%rcx
1:  ldmxcsr (%rsp)
    fldcw 4(%rsp)
    jmp 2b
    .size mazurka_switch_stack, .-mazurka_switch_stack

    .globl mazurka_fiber_start
    .hidden mazurka_fiber_start
    .type mazurka_fiber_start, @function
mazurka_fiber_start:
    .cfi_startproc
    .cfi_undefined rip
    movq %rbx, %rdi
    xorl %ebp, %ebp
    callq *%r12
    ud2
    .cfi_endproc
    .size mazurka_fiber_start, .-mazurka_fiber_start
)");
#else
#error "the threads front-end runs on x86-64 and AArch64"
#endif

namespace mazurka::threads {

#if defined(__aarch64__)

std::uintptr_t current_thread_pointer() {
  std::uintptr_t pointer = 0;
  asm volatile("mrs %0, tpidr_el0" : "=r"(pointer));
  return pointer;
}
static void set_thread_pointer(std::uintptr_t pointer) {
  asm volatile("msr tpidr_el0, %0" : : "r"(pointer) : "memory");
}

bool allow_fibers() { return true; }

FloatingPoint floating_point() {
  FloatingPoint now;
  asm volatile("mrs %0, fpcr" : "=r"(now.control));
  asm volatile("mrs %0, fpsr" : "=r"(now.status));
  return now;
}
void set_floating_point(FloatingPoint wanted) {
  asm volatile("msr fpcr, %0" : : "r"(wanted.control));
  asm volatile("msr fpsr, %0" : : "r"(wanted.status));
}

void prepare_context(Context& context, void* top, void (*entry)(void*), void* argument) {
  auto* frame = reinterpret_cast<std::uint64_t*>(
      (reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{15}) - 176);
  std::memset(frame, 0, 176);
  const FloatingPoint now = floating_point();
  frame[20] = now.control;
  frame[21] = now.status;
  frame[0] = reinterpret_cast<std::uint64_t>(argument);              // x19
  frame[1] = reinterpret_cast<std::uint64_t>(entry);                 // x20
  frame[11] = reinterpret_cast<std::uint64_t>(mazurka_fiber_start);  // x30
  context.stack_pointer = frame;
}

#else

static bool can_write_fs_base() {
  constexpr unsigned long hwcap2_fsgsbase = 1UL << 1;
  return (getauxval(AT_HWCAP2) & hwcap2_fsgsbase) != 0;
}
static const bool fast_fs_base = can_write_fs_base();

bool allow_fibers() {
  constexpr long shadow_stack_disable = 0x5002;  // of arch_prctl, as of Linux 6.6
  constexpr long shadow_stack_status = 0x5005;
  constexpr unsigned long shadow_stack = 1;
  unsigned long features = 0;
  if (native().syscall(SYS_arch_prctl, shadow_stack_status, &features) != 0) return true;
  return (features & shadow_stack) == 0 ||
         native().syscall(SYS_arch_prctl, shadow_stack_disable, shadow_stack) == 0;
}

std::uintptr_t current_thread_pointer() {
  std::uintptr_t pointer = 0;
  asm volatile("movq %%fs:0, %0" : "=r"(pointer));
  return pointer;
}
static void set_thread_pointer(std::uintptr_t pointer) {
  if (fast_fs_base) {
    asm volatile("wrfsbase %0" : : "r"(pointer) : "memory");
  } else {
    native().syscall(SYS_arch_prctl, ARCH_SET_FS, pointer);
  }
}

// The control word of the x87 unit is in the upper half, as the switch saves it.
FloatingPoint floating_point() {
  std::uint32_t sse = 0;
  std::uint16_t x87 = 0;
  asm volatile("stmxcsr %0" : "=m"(sse));
  asm volatile("fnstcw %0" : "=m"(x87));
  return {sse | std::uint64_t{x87} << 32U, 0};
}
void set_floating_point(FloatingPoint wanted) {
  const auto sse = static_cast<std::uint32_t>(wanted.control);
  const auto x87 = static_cast<std::uint16_t>(wanted.control >> 32U);
  asm volatile("ldmxcsr %0" : : "m"(sse));
  asm volatile("fldcw %0" : : "m"(x87));
}

void prepare_context(Context& context, void* top, void (*entry)(void*), void* argument) {
  // The ABI wants the stack aligned to 16 at a call: mazurka_fiber_start enters with rsp = 16n.
  auto* frame = reinterpret_cast<std::uint64_t*>(
      (reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{15}) - 80);
  std::memset(frame, 0, 80);
  frame[0] = floating_point().control;
  frame[4] = reinterpret_cast<std::uint64_t>(entry);                // r12
  frame[5] = reinterpret_cast<std::uint64_t>(argument);             // rbx
  frame[7] = reinterpret_cast<std::uint64_t>(mazurka_fiber_start);  // return address
  context.stack_pointer = frame;
}

#endif

void switch_context(Context& from, const Context& to) {
  MAZURKA_CHECK(to.stack_pointer != nullptr && &from != &to, "a context is entered that was left");
  if (to.thread_pointer != from.thread_pointer) set_thread_pointer(to.thread_pointer);
  mazurka_switch_stack(&from.stack_pointer, to.stack_pointer);
}

void enter_context(const Context& to) {
  MAZURKA_CHECK(to.stack_pointer != nullptr, "a context is entered that was left");
  set_thread_pointer(to.thread_pointer);
  void* lost = nullptr;
  mazurka_switch_stack(&lost, to.stack_pointer);
  __builtin_unreachable();
}

namespace {

struct Parked {
  std::uintptr_t pointer = 0;
  std::atomic<std::uint32_t> known{0};  // whether the pointer is there

  void wake_waiting() {
    known.store(1);
    call_kernel(SYS_futex, as_argument(&known), FUTEX_WAKE_PRIVATE, 1);
  }
  void wait() {
    while (known.load() == 0) {
      call_kernel(SYS_futex, as_argument(&known), FUTEX_WAIT_PRIVATE, 0, 0);
    }
  }
};

void* park(void* argument) {
  sigset_t all;
  sigfillset(&all);
  native().pthread_sigmask(SIG_SETMASK, &all, nullptr);
  auto* parked = static_cast<Parked*>(argument);
  parked->pointer = current_thread_pointer();
  parked->wake_waiting();
  // Another fiber may run under this thread's pointer at any time: touch nothing that hangs off it.
  for (;;) native().syscall(SYS_ppoll, nullptr, 0, nullptr, nullptr, 0);
}

// Thread-local variables lie at the top of their thread's stack. An exploration that is resumed
// must find them at the same addresses, so we choose these.
/// Null when the place is taken.
void* stack_of_parked(std::size_t nth) {
  void* wanted = reinterpret_cast<void*>(parked_zone + nth * parked_size);
  void* memory = mmap(wanted, parked_size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  return memory == wanted ? wanted : nullptr;
}

/// Those that are parked, or will be in a moment. They stay.
std::deque<Parked>& parked_threads() {
  static auto& all = *new std::deque<Parked>;
  return all;
}

/// False: the system refuses.
bool park_another() {
  std::deque<Parked>& all = parked_threads();
  void* stack = stack_of_parked(all.size());
  if (stack == nullptr) return false;
  pthread_attr_t attributes;
  native().pthread_attr_init(&attributes);
  native().pthread_attr_setstack(&attributes, stack, parked_size);
  pthread_t thread{};
  const bool parked = native().pthread_create(&thread, &attributes, park, &all.emplace_back()) == 0;
  native().pthread_attr_destroy(&attributes);
  if (parked) return true;
  all.pop_back();
  native().munmap(stack, parked_size);
  return false;
}

}  // namespace

void park_ahead(std::size_t threads) {
  while (parked_threads().size() < threads && park_another()) {
  }
}

// It takes a thread longer to begin than us to ask for it. So, of those who have asked for some, we
// expect that they will ask for as many again.
std::uintptr_t parked_thread_pointer(std::size_t nth) {
  constexpr std::size_t most_ahead = 8;
  std::deque<Parked>& all = parked_threads();
  if (all.size() <= nth) {
    park_ahead(std::max(nth + 1, all.size() + std::min(all.size(), most_ahead)));
  }
  if (all.size() <= nth) {
    throw std::runtime_error("the system allows only " + std::to_string(all.size()) +
                             " threads; raise the limit (ulimit -u) to check this program");
  }
  all[nth].wait();
  MAZURKA_CHECK(all[nth].pointer != 0, "a thread that is parked has told its pointer");
  return all[nth].pointer;
}

}  // namespace mazurka::threads
