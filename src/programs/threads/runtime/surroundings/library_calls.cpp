#include "programs/threads/runtime/surroundings/library_calls.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include "programs/threads/runtime/machine/engine.hpp"
#include "programs/threads/runtime/machine/imports.hpp"
#include "programs/threads/runtime/runtime.hpp"
#include "programs/threads/runtime/surroundings/surroundings.hpp"
#include "programs/threads/runtime/teller.hpp"

// --- the entries ---------------------------------------------------------------------------------

// Entry number n says so and goes on to what all have in common: keep the arguments, note the call,
// put the arguments back and go on to the function, which returns to its caller. The C library has
// fewer functions than there are entries.
#define MAZURKA_ENTRIES 4096
#define MAZURKA_TEXT_OF(number) #number
#define MAZURKA_TEXT(number) MAZURKA_TEXT_OF(number)

// clang-format off
__asm__(
    ".pushsection .text\n"
    ".hidden mazurka_library_entries\n"
    ".globl mazurka_library_entries\n"
    ".balign 16\n"
    "mazurka_library_entries:\n"
    ".set mazurka_entry, 0\n"
    ".rept " MAZURKA_TEXT(MAZURKA_ENTRIES) "\n"
#if defined(__aarch64__)
    "movz w16, #mazurka_entry\n"
    "b mazurka_library_entry\n"
    ".set mazurka_entry, mazurka_entry + 1\n"
    ".endr\n"
    "mazurka_library_entry:\n"
    ".cfi_startproc\n"
    "stp x29, x30, [sp, #-224]!\n"
    ".cfi_def_cfa_offset 224\n"
    ".cfi_offset 29, -224\n"
    ".cfi_offset 30, -216\n"
    "mov x29, sp\n"
    "stp x0, x1, [sp, #16]\n"
    "stp x2, x3, [sp, #32]\n"
    "stp x4, x5, [sp, #48]\n"
    "stp x6, x7, [sp, #64]\n"
    "str x8, [sp, #80]\n"
    "stp q0, q1, [sp, #96]\n"
    "stp q2, q3, [sp, #128]\n"
    "stp q4, q5, [sp, #160]\n"
    "stp q6, q7, [sp, #192]\n"
    "mov w0, w16\n"
    "add x1, sp, #16\n"
    "mov x2, x30\n"
    "bl mazurka_enter_library\n"
    "mov x16, x0\n"
    "ldp x0, x1, [sp, #16]\n"
    "ldp x2, x3, [sp, #32]\n"
    "ldp x4, x5, [sp, #48]\n"
    "ldp x6, x7, [sp, #64]\n"
    "ldr x8, [sp, #80]\n"
    "ldp q0, q1, [sp, #96]\n"
    "ldp q2, q3, [sp, #128]\n"
    "ldp q4, q5, [sp, #160]\n"
    "ldp q6, q7, [sp, #192]\n"
    "ldp x29, x30, [sp], #224\n"
    ".cfi_restore 29\n"
    ".cfi_restore 30\n"
    ".cfi_def_cfa_offset 0\n"
    "br x16\n"
#else
    ".balign 16\n"
    "movl $mazurka_entry, %r11d\n"
    "jmp mazurka_library_entry\n"
    ".set mazurka_entry, mazurka_entry + 1\n"
    ".endr\n"
    "mazurka_library_entry:\n"
    ".cfi_startproc\n"
    "pushq %rbp\n"
    ".cfi_def_cfa_offset 16\n"
    ".cfi_offset 6, -16\n"
    "movq %rsp, %rbp\n"
    ".cfi_def_cfa_register 6\n"
    "subq $192, %rsp\n"
    "movq %rdi, (%rsp)\n"
    "movq %rsi, 8(%rsp)\n"
    "movq %rdx, 16(%rsp)\n"
    "movq %rcx, 24(%rsp)\n"
    "movq %r8, 32(%rsp)\n"
    "movq %r9, 40(%rsp)\n"
    "movq %rax, 48(%rsp)\n"
    "movq %r10, 56(%rsp)\n"
    "movups %xmm0, 64(%rsp)\n"
    "movups %xmm1, 80(%rsp)\n"
    "movups %xmm2, 96(%rsp)\n"
    "movups %xmm3, 112(%rsp)\n"
    "movups %xmm4, 128(%rsp)\n"
    "movups %xmm5, 144(%rsp)\n"
    "movups %xmm6, 160(%rsp)\n"
    "movups %xmm7, 176(%rsp)\n"
    "movl %r11d, %edi\n"
    "movq %rsp, %rsi\n"
    "movq 8(%rbp), %rdx\n"
    "call mazurka_enter_library\n"
    "movq %rax, %r11\n"
    "movq (%rsp), %rdi\n"
    "movq 8(%rsp), %rsi\n"
    "movq 16(%rsp), %rdx\n"
    "movq 24(%rsp), %rcx\n"
    "movq 32(%rsp), %r8\n"
    "movq 40(%rsp), %r9\n"
    "movq 48(%rsp), %rax\n"
    "movq 56(%rsp), %r10\n"
    "movups 64(%rsp), %xmm0\n"
    "movups 80(%rsp), %xmm1\n"
    "movups 96(%rsp), %xmm2\n"
    "movups 112(%rsp), %xmm3\n"
    "movups 128(%rsp), %xmm4\n"
    "movups 144(%rsp), %xmm5\n"
    "movups 160(%rsp), %xmm6\n"
    "movups 176(%rsp), %xmm7\n"
    "leave\n"
    ".cfi_def_cfa 7, 8\n"
    "jmp *%r11\n"
#endif
    ".cfi_endproc\n"
    ".popsection\n");
// clang-format on

extern "C" __attribute__((visibility("hidden"))) char mazurka_library_entries[];

namespace mazurka::threads {

namespace {

using Of = LibraryFunction::Of;

#if defined(__aarch64__)
constexpr std::size_t entry_size = 8;
#else
constexpr std::size_t entry_size = 16;
#endif

struct Watched {
  void* target;
  const char* name;
  LibraryFunction function;
};
std::vector<Watched> watched;
std::vector<std::uintptr_t> visited;  // bases of what was looked at

void note_use(const Watched& call, std::uintptr_t argument) {
  const Use use = call.function.use;
  switch (call.function.of) {
    case Of::nothing: return;
    case Of::its_own: runtime->state().went_outside = true; return;
    case Of::stream: return use_open_file(reinterpret_cast<std::FILE*>(argument), use);
    case Of::descriptor: return use_open_file(static_cast<int>(argument), use);
    case Of::list: return note_handle(reinterpret_cast<const void*>(argument), use);
    case Of::numbers:
      if (!is_standard(reinterpret_cast<const std::FILE*>(argument))) note_numbers(use);
      return;
    case Of::current_folder: return runtime->use_outside("the current folder", use);
    case Of::environment: return runtime->use_outside("the environment", use);
    case Of::locale: return runtime->use_outside("the locale", use);
    case Of::everything: return runtime->use_unknown(call.name);
  }
}

void note(const Watched& call, const std::uintptr_t* arguments, const void* code) {
  note_use(call, arguments[call.function.argument]);
  const Teller teller(code);
  for (const LibraryFunction::Touch& touch : call.function.touches) {
    const auto* where = reinterpret_cast<const void*>(arguments[touch.argument]);
    if (touch.writes) {
      teller.write(where, touch.size);
    } else {
      teller.read(where, touch.size);
    }
  }
}

void* entry_for(void* target, const char* name, LibraryFunction function) {
  const auto known = std::find_if(watched.begin(), watched.end(),
                                  [&](const Watched& one) { return one.target == target; });
  const auto number = static_cast<std::size_t>(known - watched.begin());
  if (number == MAZURKA_ENTRIES) return target;
  if (known == watched.end()) watched.push_back({target, name, function});
  return mazurka_library_entries + number * entry_size;
}

int watch_module(dl_phdr_info* info, std::size_t, void*) {
  if (!is_of_program(*info)) return 0;
  if (std::find(visited.begin(), visited.end(), info->dlpi_addr) != visited.end()) return 0;
  visited.push_back(info->dlpi_addr);
  ImportTable module(*info);
  module.visit([&](const ImportTable::Import& import) {
    if (import.own != nullptr) return;
    void* target = *import.slot;
    // A function that has not been called yet may not have been looked for.
    if (module.contains(target)) target = dlsym(RTLD_DEFAULT, import.name);
    if (target == nullptr || !in_c_library(target)) return;
    const LibraryFunction function = library_function(import.name);
    if (function.does_something()) *import.slot = entry_for(target, import.name, function);
  });
  return 0;
}

}  // namespace

void watch_library_calls() { dl_iterate_phdr(watch_module, nullptr); }

}  // namespace mazurka::threads

/// Returns where to go on.
extern "C" __attribute__((visibility("hidden"), used)) void* mazurka_enter_library(
    std::uint32_t number, const std::uintptr_t* arguments, const void* caller) {
  const mazurka::threads::Watched& call = mazurka::threads::watched[number];
  if (mazurka::threads::scheduled()) {
    const int before = errno;
    mazurka::threads::note(call, arguments, caller);
    errno = before;
  }
  return call.target;
}
