// Crashes of the program under test, the first write to a protected page, and the watchdog.
#pragma once

#include <ucontext.h>

#include <cstdint>

namespace mazurka::threads {

/// From now on a crash ends the process that crashed, with a finding, instead of the checker, and
/// a process that computes for `stall_seconds` without a visible operation is given up.
void install_signal_handlers(double stall_seconds);

/// Makes a handler of a signal return into `function`, on a stack kept for that. What was
/// interrupted is never entered again.
void land_in(ucontext_t& context, void (*function)());

/// Makes a handler of a signal return as if what was interrupted had called `function`, which must
/// not return. It may wait for others to move: it has the stack of its process.
void go_on_in(ucontext_t& context, void (*function)());
/// The same with a stack that ends there, and with an argument.
void go_on_at(ucontext_t& context, std::uintptr_t stack, void (*function)(void*), void* argument);
[[nodiscard]] std::uintptr_t stack_pointer(const ucontext_t& context);

}  // namespace mazurka::threads
