// mazurka::check inside a program: who asks, and who answers.
#pragma once

#include "programs/threads/runtime/state/process.hpp"

namespace mazurka::threads {

/// Whether this process was started to explore some call of mazurka::check.
[[nodiscard]] bool awaits_checks();
/// On the way to it the program registers this: it counts if the call ends the program.
void note_handler_before_check(const ExitHandler& handler);
/// The name of that call; null: there is none.
[[nodiscard]] const char* awaited_check();
/// If this is the call: explores it, sends the reply and ends the process.
void answer_if_pending(const char* name, void (*body)(void*), void* argument, void* frame);

}  // namespace mazurka::threads
