// Where a hook was called from, and with what in the registers that outlive the call.
//
// What a process will do next depends on its registers and its stack. At a call only those
// registers count that the called function must preserve; a C++ function can not see them any
// more, its own prologue has moved them. So some hooks are entered through a few instructions that
// write them down first. Everything above the stack pointer is the caller's.
//
// The same few instructions keep the runtime's own frames out of the program's way. A hook uses the
// stack of the process that calls it, and what it leaves there shows through in the gaps of the
// frames that the program makes next: to who compares stacks (loops/spin_recognition.cpp), equal
// states look different, and not even always the same way. So a hook does its work a good deal
// further down, but still within the guard of a stack that has run out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace mazurka::threads {

struct CallSite {
#if defined(__aarch64__)
  std::uintptr_t saved[19];  // x19 to x28, d8 to d15, x29
  std::uintptr_t stack_pointer;
  std::uintptr_t return_address;
  [[nodiscard]] std::uintptr_t code() const { return return_address; }
  [[nodiscard]] std::uintptr_t stack() const { return stack_pointer; }
#else
  std::uintptr_t saved[6];  // rbx, rbp, r12 to r15
  std::uintptr_t stack_pointer;
  [[nodiscard]] std::uintptr_t code() const {
    return *reinterpret_cast<const std::uintptr_t*>(stack_pointer);
  }
  [[nodiscard]] std::uintptr_t stack() const { return stack_pointer + sizeof(std::uintptr_t); }
#endif
};

}  // namespace mazurka::threads

extern "C" {
extern __attribute__((visibility("hidden"))) mazurka::threads::CallSite mazurka_call_site;
/// Where the program has called the hook that it called last.
extern __attribute__((visibility("hidden"))) const void* mazurka_caller;
/// The stack pointer at the call of the hook that was entered last, if it works further down and
/// has not returned; else 0.
extern __attribute__((visibility("hidden"))) std::uintptr_t mazurka_far_frame;
}

// How far down, as text: a multiple of the stack's alignment.
#define MAZURKA_FAR "16384"

namespace mazurka::threads {
inline constexpr std::size_t far_down = 16384;

// A hook that works further down does not see what its caller has left on the stack: arguments that
// are not in registers are copied, so many words of them.
#if defined(__aarch64__)
inline constexpr std::size_t argument_registers = 8;
inline constexpr std::size_t copied_words = 0;
inline constexpr std::size_t widely_copied_words = 4;
#else
inline constexpr std::size_t argument_registers = 6;
inline constexpr std::size_t copied_words = 1;
inline constexpr std::size_t widely_copied_words = 6;
#endif

/// The words of the function's arguments that are on the stack; those of one are not torn apart.
template <typename Result, typename... Arguments>
consteval std::size_t words_on_stack(Result (*)(Arguments...)) {
  std::size_t registers = 0;
  std::size_t words = 0;
  const auto pass = [&](std::size_t size, bool floating) {
    if (floating) return;  // they have registers of their own, and no hook has so many
    const std::size_t needed = (size + sizeof(std::uintptr_t) - 1) / sizeof(std::uintptr_t);
    (registers + needed <= argument_registers ? registers : words) += needed;
  };
  // NOLINTNEXTLINE(bugprone-sizeof-expression): of a pointer, if the argument is one
  (pass(sizeof(Arguments), std::is_floating_point_v<Arguments>), ...);
  return words;
}
}  // namespace mazurka::threads

#if defined(__aarch64__)
#define MAZURKA_NOTE_CALL_SITE              \
  "adrp x16, mazurka_call_site\n"           \
  "add x16, x16, :lo12:mazurka_call_site\n" \
  "stp x19, x20, [x16]\n"                   \
  "stp x21, x22, [x16, #16]\n"              \
  "stp x23, x24, [x16, #32]\n"              \
  "stp x25, x26, [x16, #48]\n"              \
  "stp x27, x28, [x16, #64]\n"              \
  "stp d8, d9, [x16, #80]\n"                \
  "stp d10, d11, [x16, #96]\n"              \
  "stp d12, d13, [x16, #112]\n"             \
  "stp d14, d15, [x16, #128]\n"             \
  "mov x17, sp\n"                           \
  "stp x29, x17, [x16, #144]\n"             \
  "str x30, [x16, #160]\n"
#define MAZURKA_NOTE_CALLER    \
  "adrp x16, mazurka_caller\n" \
  "str x30, [x16, :lo12:mazurka_caller]\n"
#define MAZURKA_COPY_ARGUMENTS ""
#define MAZURKA_COPY_MANY_ARGUMENTS \
  "add x9, sp, #" MAZURKA_FAR       \
  "\n"                              \
  "ldp x10, x11, [x9, #16]\n"       \
  "ldp x12, x13, [x9, #32]\n"       \
  "stp x10, x11, [sp]\n"            \
  "stp x12, x13, [sp, #16]\n"
#define MAZURKA_GO_ON(function, copy_arguments)                            \
  "adrp x16, mazurka_far_frame\n"                                          \
  "mov x17, sp\n"                                                          \
  "str x17, [x16, :lo12:mazurka_far_frame]\n"                              \
  "stp x29, x30, [sp, #-16]!\n"                                            \
  ".cfi_adjust_cfa_offset 16\n"                                            \
  ".cfi_rel_offset x29, 0\n"                                               \
  ".cfi_rel_offset x30, 8\n"                                               \
  "sub sp, sp, #" MAZURKA_FAR                                              \
  "\n"                                                                     \
  ".cfi_adjust_cfa_offset " MAZURKA_FAR "\n" copy_arguments "bl " function \
  "\n"                                                                     \
  "add sp, sp, #" MAZURKA_FAR                                              \
  "\n"                                                                     \
  ".cfi_adjust_cfa_offset -" MAZURKA_FAR                                   \
  "\n"                                                                     \
  "ldp x29, x30, [sp], #16\n"                                              \
  "adrp x16, mazurka_far_frame\n"                                          \
  "str xzr, [x16, :lo12:mazurka_far_frame]\n"                              \
  ".cfi_adjust_cfa_offset -16\n"                                           \
  "ret\n"
#else
#define MAZURKA_NOTE_CALL_SITE              \
  "movq %rbx, mazurka_call_site(%rip)\n"    \
  "movq %rbp, 8+mazurka_call_site(%rip)\n"  \
  "movq %r12, 16+mazurka_call_site(%rip)\n" \
  "movq %r13, 24+mazurka_call_site(%rip)\n" \
  "movq %r14, 32+mazurka_call_site(%rip)\n" \
  "movq %r15, 40+mazurka_call_site(%rip)\n" \
  "movq %rsp, 48+mazurka_call_site(%rip)\n"
#define MAZURKA_NOTE_CALLER \
  "movq (%rsp), %r11\n"     \
  "movq %r11, mazurka_caller(%rip)\n"
// The first is above the return address, and above what the stack pointer was moved by.
#define MAZURKA_COPY_ARGUMENT(nth)        \
  "movq " MAZURKA_FAR " + 16 + 8 * " #nth \
  "(%rsp), %r11\n"                        \
  "movq %r11, 8 * " #nth "(%rsp)\n"
#define MAZURKA_COPY_ARGUMENTS MAZURKA_COPY_ARGUMENT(0)
#define MAZURKA_COPY_MANY_ARGUMENTS \
  MAZURKA_COPY_ARGUMENT(0)          \
  MAZURKA_COPY_ARGUMENT(1)          \
  MAZURKA_COPY_ARGUMENT(2)          \
  MAZURKA_COPY_ARGUMENT(3)          \
  MAZURKA_COPY_ARGUMENT(4)          \
  MAZURKA_COPY_ARGUMENT(5)
#define MAZURKA_GO_ON(function, copy_arguments)                                  \
  "movq %rsp, mazurka_far_frame(%rip)\n"                                         \
  "subq $" MAZURKA_FAR                                                           \
  " + 8, %rsp\n"                                                                 \
  ".cfi_adjust_cfa_offset " MAZURKA_FAR " + 8\n" copy_arguments "call " function \
  "\n"                                                                           \
  "addq $" MAZURKA_FAR                                                           \
  " + 8, %rsp\n"                                                                 \
  ".cfi_adjust_cfa_offset -(" MAZURKA_FAR                                        \
  " + 8)\n"                                                                      \
  "movq $0, mazurka_far_frame(%rip)\n"                                           \
  "ret\n"
#endif

#define MAZURKA_ENTRY(name, instructions)                                       \
  asm(".text\n.p2align 4\n.globl " #name "\n.type " #name ", %function\n" #name \
      ":\n.cfi_startproc\n" instructions ".cfi_endproc\n.size " #name ", .-" #name "\n")

#define MAZURKA_FAR_FUNCTION(type, name, most, ...)                                            \
  extern "C" __attribute__((visibility("hidden"), used)) type mazurka_at_##name(__VA_ARGS__);  \
  static_assert(mazurka::threads::words_on_stack(mazurka_at_##name) <= mazurka::threads::most, \
                "too many arguments for this kind of hook");                                   \
  extern "C" __attribute__((visibility("hidden"), used)) type mazurka_at_##name(__VA_ARGS__)

/// Defines the function `name` that goes on, out of the way, to the function whose head follows:
/// MAZURKA_FAR_HOOK(int, pthread_mutex_unlock, pthread_mutex_t* mutex) { ... }
#define MAZURKA_FAR_HOOK(type, name, ...)                                                        \
  MAZURKA_ENTRY(name,                                                                            \
                MAZURKA_NOTE_CALLER MAZURKA_GO_ON("mazurka_at_" #name, MAZURKA_COPY_ARGUMENTS)); \
  MAZURKA_FAR_FUNCTION(type, name, copied_words, __VA_ARGS__)

/// The same for a function that also notes its call site.
#define MAZURKA_SITE_HOOK(type, name, ...)                                      \
  MAZURKA_ENTRY(name, MAZURKA_NOTE_CALL_SITE MAZURKA_NOTE_CALLER MAZURKA_GO_ON( \
                          "mazurka_at_" #name, MAZURKA_COPY_ARGUMENTS));        \
  MAZURKA_FAR_FUNCTION(type, name, copied_words, __VA_ARGS__)

/// ... and has up to twelve arguments.
#define MAZURKA_WIDE_SITE_HOOK(type, name, ...)                                 \
  MAZURKA_ENTRY(name, MAZURKA_NOTE_CALL_SITE MAZURKA_NOTE_CALLER MAZURKA_GO_ON( \
                          "mazurka_at_" #name, MAZURKA_COPY_MANY_ARGUMENTS));   \
  MAZURKA_FAR_FUNCTION(type, name, widely_copied_words, __VA_ARGS__)
