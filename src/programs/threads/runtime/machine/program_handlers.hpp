// The program's own handlers of what the processor refuses to do: SIGSEGV, SIGBUS, SIGFPE, SIGILL,
// SIGTRAP.
//
// Such a signal comes on a stack of ours, where nothing of the program may run: from its handler
// another process may be entered. So what the kernel has put there is copied to the stack of the
// process, below all that is in use. The handler is called there; when it returns, the kernel is
// asked to go on from the copy, which the handler may have changed. When it does not return but
// jumps elsewhere, the copy is forgotten like any other frame.
#pragma once

#include <signal.h>
#include <ucontext.h>

namespace mazurka::threads {

/// Whether the program would have its handler called if this signal came now.
[[nodiscard]] bool has_program_handler(int signal);

/// Makes the handler run when that of the system returns. False: there is no room for it.
[[nodiscard]] bool call_program_handler(int signal, const siginfo_t& info, ucontext_t& context);

}  // namespace mazurka::threads
