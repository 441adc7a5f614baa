// Jumps out of handlers of signals: sigsetjmp keeps which signals are blocked, siglongjmp puts it
// back. For the kernel none ever are, so the C library's own functions know nothing of it.
#include <dlfcn.h>
#include <setjmp.h>

#include "programs/threads/runtime/hooks/hooks.hpp"

using mazurka::threads::natively;
using mazurka::threads::runtime;
using mazurka::threads::scheduled;

namespace {

// In the part of the buffer that the kernel's set, which has one word, leaves unused.
constexpr std::size_t place_of_mask = 8;
constexpr std::size_t place_of_mark = 9;
constexpr unsigned long mark = 0x6a75'6d70'6d61'736b;

unsigned long* words_of(__jmp_buf_tag* place) { return place->__saved_mask.__val; }

void put_back_mask(__jmp_buf_tag* place) {
  if (!scheduled() || place->__mask_was_saved == 0) return;
  if (words_of(place)[place_of_mark] != mark) return;
  runtime->current().blocked = words_of(place)[place_of_mask];
}

}  // namespace

extern "C" {
__attribute__((visibility("hidden"), used)) void mazurka_note_mask(__jmp_buf_tag* place,
                                                                   int with_mask) {
  if (!scheduled() || with_mask == 0) return;
  words_of(place)[place_of_mask] = runtime->current().blocked;
  words_of(place)[place_of_mark] = mark;
}
__attribute__((visibility("hidden"), used)) void* mazurka_own_sigsetjmp =
    mazurka::threads::native_symbol("__sigsetjmp");
}

// It must return to the caller itself, twice.
// clang-format off
asm(".text\n.p2align 4\n.globl __sigsetjmp\n.type __sigsetjmp, %function\n__sigsetjmp:\n"
    ".cfi_startproc\n"
#if defined(__aarch64__)
    "stp x0, x1, [sp, #-32]!\n"
    "str x30, [sp, #16]\n"
    "bl mazurka_note_mask\n"
    "ldr x30, [sp, #16]\n"
    "ldp x0, x1, [sp], #32\n"
    "adrp x16, mazurka_own_sigsetjmp\n"
    "ldr x16, [x16, :lo12:mazurka_own_sigsetjmp]\n"
    "br x16\n"
#else
    "pushq %rdi\n"
    ".cfi_adjust_cfa_offset 8\n"
    "pushq %rsi\n"
    ".cfi_adjust_cfa_offset 8\n"
    "subq $8, %rsp\n"
    ".cfi_adjust_cfa_offset 8\n"
    "call mazurka_note_mask\n"
    "addq $8, %rsp\n"
    ".cfi_adjust_cfa_offset -8\n"
    "popq %rsi\n"
    ".cfi_adjust_cfa_offset -8\n"
    "popq %rdi\n"
    ".cfi_adjust_cfa_offset -8\n"
    "jmp *mazurka_own_sigsetjmp(%rip)\n"
#endif
    ".cfi_endproc\n.size __sigsetjmp, .-__sigsetjmp\n");
// clang-format on

#define MAZURKA_JUMP(name)                                                      \
  MAZURKA_HOOK void mazurka_##name(__jmp_buf_tag* place, int value) asm(#name); \
  MAZURKA_HOOK void mazurka_##name(__jmp_buf_tag* place, int value) {           \
    put_back_mask(place);                                                       \
    natively<void>(#name, place, value);                                        \
  }
MAZURKA_JUMP(siglongjmp)
MAZURKA_JUMP(longjmp)
MAZURKA_JUMP(_longjmp)
MAZURKA_JUMP(__longjmp_chk)
