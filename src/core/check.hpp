// Checks of Mazurka's own rules: preconditions, invariants and postconditions.
//
// A rule that only a comment states is not kept. MAZURKA_CHECK(condition, "what must hold") states
// it in the code, in every kind of build: a violated rule can lose behaviours of the program under
// test, and a wrong verdict costs more than a predictable branch. "Requires:" in a comment is what
// a caller owes, "Ensures:" what a function has achieved; the check stands beside it.
//
// A check that fails ends the process, and throws no exception. Checks stand where nothing may be
// thrown (destructors, threads, signal handlers, fibers, C callbacks of the program under test),
// and code that catches an exception would go on with data that is known to be wrong. What is said
// and how the process ends can be chosen once per process (on_failed_check): by default the text
// goes to the standard error output and the exit code is 2; a process that explores a program under
// test hands the text to the process that started it (host/channel.hpp), whose verdict is then
// "error".
//
// A failing check neither allocates nor uses streams nor locks, since it may be inside malloc or a
// signal handler of the program under test.
#pragma once

#include <cstddef>

namespace mazurka {

/// A rule of Mazurka that does not hold: where, and which.
struct FailedCheck {
  const char* condition;
  const char* rule;  // in words; may be empty
  const char* file;
  int line;
  const char* function;
};

/// Hands on the text about a failed check; if it returns, the process ends with exit code 2.
using FailedCheckHandler = void (*)(const char* text);

/// Replaces the handler of this process; null: the text is written to the standard error output.
void on_failed_check(FailedCheckHandler handler);

/// The exit code of a process that a failed check has ended.
inline constexpr int exit_failed_check = 2;

/// The largest size of the text about a failed check, with the null character at its end.
inline constexpr std::size_t failed_check_text_size = 1024;

/// Writes "internal error: ..." with what does not hold, where, and how to report it. A text that
/// is too long is cut. Requires: room for at least one character.
void write_text_of(const FailedCheck& failed, char* text, std::size_t size);

/// Ends the process. Called by MAZURKA_CHECK alone.
[[noreturn, gnu::cold, gnu::noinline]] void check_failed(const FailedCheck& failed);

}  // namespace mazurka

/// MAZURKA_CHECK(condition) or MAZURKA_CHECK(condition, "what must hold"). The condition is
/// evaluated in every build; it has no side effects.
#define MAZURKA_CHECK(condition, ...)                                                      \
  do {                                                                                     \
    if (!(condition)) [[unlikely]] {                                                       \
      ::mazurka::check_failed({#condition, "" __VA_ARGS__, __FILE__, __LINE__, __func__}); \
    }                                                                                      \
  } while (false)
