// What the program under test gets to hear when it asks the kernel for something that is not
// harmless (confinement.hpp): the part that knows the call says it, and what none of them knows is
// refused.
#include <sys/syscall.h>

#include <optional>
#include <utility>

#include "programs/threads/runtime/machine/confinement.hpp"
#include "programs/threads/runtime/runtime.hpp"
#include "programs/threads/runtime/surroundings/answers.hpp"

namespace mazurka::threads {

namespace {

// Questions about files, and what has no effect (no signal ever comes).
bool changes_nothing(long number) {
  switch (number) {
    case SYS_newfstatat:
    case SYS_fstat:
    case SYS_statx:
    case SYS_faccessat:
    case SYS_faccessat2:
    case SYS_readlinkat:
    case SYS_getcwd:
    case SYS_sigaltstack:
    case SYS_rt_sigaction: return true;  // Surroundings::changed
#if defined(__x86_64__)
    case SYS_stat:
    case SYS_lstat:
    case SYS_access:
    case SYS_readlink: return true;
#endif
    default: return false;
  }
}

}  // namespace

Answer answer(const SystemCall& call) {
  if (!changes_nothing(call.number)) runtime->state().went_outside = true;
  for (const auto about : {answers::about_descriptors, answers::about_files, answers::about_process,
                           answers::about_limits, answers::about_time}) {
    if (std::optional<Answer> known = about(call)) return *std::move(known);
  }
  return answers::refused();
}

}  // namespace mazurka::threads
