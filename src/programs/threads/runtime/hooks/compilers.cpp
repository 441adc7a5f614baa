// What a program calls because of how it was compiled.
//
// -pg: each function tells a profiler that it was called. There is nothing to measure here, and the
// profiler's counters are no part of the program.
//
// -fsanitize=undefined: what the sanitizer has to report is a finding. To know whether there is
// memory at an address, it writes what is there to a pipe of its own.
#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cctype>

#include <string>
#include <string_view>

#include "programs/threads/runtime/hooks/hooks.hpp"
#include "programs/threads/runtime/machine/kernel.hpp"
#include "programs/threads/runtime/surroundings/surroundings.hpp"

using mazurka::threads::EngineScope;
using mazurka::threads::natively;
using mazurka::threads::runtime;
using mazurka::threads::scheduled;

#define MAZURKA_DOES_NOTHING(name)                                                         \
  asm(".text\n.globl " #name "\n.type " #name ", %function\n" #name ":\nret\n.size " #name \
      ", .-" #name "\n")

// All registers are the caller's.
MAZURKA_DOES_NOTHING(mcount);
MAZURKA_DOES_NOTHING(_mcount);
MAZURKA_DOES_NOTHING(__fentry__);
MAZURKA_DOES_NOTHING(__monstartup);
MAZURKA_DOES_NOTHING(_mcleanup);

namespace {

bool is_in_sanitizer(const void* code) {
  Dl_info info{};
  return dladdr(code, &info) != 0 && info.dli_fname != nullptr &&
         std::string_view(info.dli_fname).find("libubsan") != std::string_view::npos;
}

/// A file that what is written to it stays in, always the same.
int place_to_write() {
  using mazurka::threads::as_argument;
  using mazurka::threads::call_kernel;
  using mazurka::threads::surroundings;
  static long file = -1;
  if (file >= 0 && call_kernel(SYS_lseek, file, 0, SEEK_SET) == 0) return static_cast<int>(file);
  if (file >= 0) surroundings.close_own(static_cast<int>(file));  // it may be gone
  file = surroundings.move_away(
      static_cast<int>(call_kernel(SYS_memfd_create, as_argument("sanitizer"), 0)));
  return static_cast<int>(file);
}

}  // namespace

MAZURKA_HOOK int pipe(int* ends) noexcept {
  if (!scheduled()) return natively("pipe", ends);
  if (!is_in_sanitizer(__builtin_return_address(0))) runtime->unsupported("pipe()");
  const EngineScope scope;
  ends[0] = ends[1] = place_to_write();
  return 0;
}

MAZURKA_HOOK void __ubsan_on_report();
MAZURKA_HOOK void __ubsan_on_report() {
  if (!scheduled()) return;
  const char* kind = "";
  const char* message = "";
  const char* file = "";
  unsigned line = 0;
  unsigned column = 0;
  char* address = nullptr;
  natively<void>("__ubsan_get_current_report_data", &kind, &message, &file, &line, &column,
                 &address);
  mazurka::threads::inside_engine = true;
  std::string what = message;
  if (!what.empty()) what[0] = static_cast<char>(std::tolower(what[0]));
  runtime->fail(mazurka::FindingKind::assertion, "undefined behaviour: " + what,
                "undefined " + std::string(file) + ":" + std::to_string(line) + " " + kind);
}
