#include "programs/threads/runtime/machine/program_handlers.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "programs/threads/runtime/machine/call_site.hpp"
#include "programs/threads/runtime/machine/memory.hpp"
#include "programs/threads/runtime/machine/signals.hpp"
#include "programs/threads/runtime/runtime.hpp"
#include "programs/threads/runtime/surroundings/surroundings.hpp"

namespace mazurka::threads {

namespace {

/// On the stack of the process. The kernel goes on from what is in the first two.
struct Frame {
  siginfo_t info;
  ucontext_t context;
  struct sigaction action;
  Dispositions::Mask blocked;  // before
  std::uintptr_t far_frame;
};

constexpr std::size_t red_zone = 128;  // below the stack pointer, and in use
constexpr std::size_t room_of_handler = std::size_t{16} << 10;

#if defined(__aarch64__)
// Registers of all kinds are in the context itself.
constexpr std::size_t size_of_context = sizeof(ucontext_t);
std::size_t size_of_floating_point(const ucontext_t&) { return 0; }
void copy_floating_point(ucontext_t&, void*, std::size_t) {}

[[noreturn]] void go_on_from(const Frame& frame) {
  asm volatile("mov sp, %0\nmov x8, #139\nsvc #0" ::"r"(&frame) : "memory");
  __builtin_unreachable();
}
#else
// What the kernel has of it: the C library's has more, of its own.
constexpr std::size_t size_of_context = offsetof(ucontext_t, uc_sigmask) + sizeof(std::uint64_t);

// The kernel says behind the first part how large the whole is.
std::size_t size_of_floating_point(const ucontext_t& context) {
  constexpr std::size_t first_part = 512;
  constexpr std::size_t place_of_mark = 464;
  constexpr std::uint32_t mark = 0x46505853;
  const auto* begin = reinterpret_cast<const std::byte*>(context.uc_mcontext.fpregs);
  if (begin == nullptr) return 0;
  std::uint32_t words[2];
  std::memcpy(words, begin + place_of_mark, sizeof words);
  return words[0] == mark ? words[1] : first_part;
}
void copy_floating_point(ucontext_t& context, void* to, std::size_t size) {
  if (size == 0) return;
  std::memcpy(to, context.uc_mcontext.fpregs, size);
  context.uc_mcontext.fpregs = static_cast<fpregset_t>(to);
}

[[noreturn]] void go_on_from(const Frame& frame) {
  constexpr long rt_sigreturn = 15;
  asm volatile("movq %0, %%rsp\nsyscall" ::"r"(&frame.context), "a"(rt_sigreturn) : "memory");
  __builtin_unreachable();
}
#endif

[[noreturn]] void run_handler(void* raw_frame) {
  auto& frame = *static_cast<Frame*>(raw_frame);
  const int signal = frame.info.si_signo;
  if ((frame.action.sa_flags & SA_SIGINFO) != 0) {
    frame.action.sa_sigaction(signal, &frame.info, &frame.context);
  } else {
    frame.action.sa_handler(signal);
  }
  runtime->current().blocked = frame.blocked;
  mazurka_far_frame = frame.far_frame;
  go_on_from(frame);
}

}  // namespace

bool has_program_handler(int signal) {
  return Dispositions::exists(signal) && runtime->running() &&
         surroundings.dispositions().effect(signal) == Dispositions::Effect::calls &&
         !Dispositions::is_in(runtime->current().blocked, signal);
}

bool call_program_handler(int signal, const siginfo_t& info, ucontext_t& context) {
  constexpr std::size_t alignment = 64;
  const std::size_t slot = index(runtime->current().id);
  const std::uintptr_t stack = stack_pointer(context);
  if (!in_zone(stack) || slot_of(stack) != slot || !in_stack_of(slot, stack)) return false;
  const std::size_t extra = size_of_floating_point(context);
  const std::uintptr_t place = round_down(stack - red_zone - extra, alignment);
  const std::uintptr_t begin = round_down(place - sizeof(Frame), alignment);
  if (begin - room_of_handler < slot_begin(slot) + guard_size) return false;

  use_handlers(Use::looks);
  Dispositions& dispositions = surroundings.dispositions();
  auto& frame = *reinterpret_cast<Frame*>(begin);
  std::memset(&frame, 0, sizeof frame);
  frame.info = info;
  std::memcpy(&frame.context, &context, size_of_context);
  copy_floating_point(frame.context, reinterpret_cast<void*>(place), extra);
  frame.action = dispositions.of(signal);
  frame.blocked = runtime->current().blocked;
  frame.far_frame = mazurka_far_frame;
  if ((frame.action.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) dispositions.set(signal, {});
  runtime->current().blocked |= Dispositions::blocked_during(frame.action, signal);
  mazurka_far_frame = 0;
  go_on_at(context, begin, run_handler, &frame);
  return true;
}

}  // namespace mazurka::threads
