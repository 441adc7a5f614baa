// Functions of the program under test whose names mean something to a verifier.
//
// In the software verification competition a call of `reach_error` is the error, whatever that
// function does; a function `__VERIFIER_atomic_...` is indivisible; and a program that has a
// function `assume_abort_if_not` calls abort() to say that an execution is of no interest. Programs
// define these themselves, also as static functions, so they are looked up in the program's own
// symbol table.
#pragma once

#include <cstdint>

namespace mazurka::threads {

enum class Meaning : std::uint8_t { none, indivisible, error };

/// What the function that begins here is by its name.
[[nodiscard]] Meaning meaning_of(const void* function);

/// Whether this code belongs to a function that has `assume` in its name: an endless loop in there
/// says that an assumption does not hold.
[[nodiscard]] bool in_assumption(const void* code);

/// Whether the program aborts when an assumption does not hold.
[[nodiscard]] bool aborts_are_assumptions();

}  // namespace mazurka::threads
