// How a handler fails without taking the checker along: an exception, an expectation that does not
// hold, or the C library's assert().
#pragma once

#include <csetjmp>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>

namespace mazurka::actors {

/// Why a handler did not end as it should.
struct Failure {
  enum class Kind : std::uint8_t { expectation, assertion, exception };
  Kind kind{};
  std::string message;
};

/// Thrown by Context::expect.
struct Expectation {
  std::string text;
};

/// Where a failed assert() returns to, while a handler runs. assert() may not throw, so this is a
/// jump; what the handler had allocated by then is lost.
struct AssertionTrap {
  std::jmp_buf target;
  char message[512];
  AssertionTrap* outer;
};
/// The trap of the handler that runs in this thread, or null.
[[nodiscard]] AssertionTrap*& assertion_trap();

[[nodiscard]] Failure current_exception_as_failure();

// Not inlined: what lives across setjmp must not be in registers of the caller.
template <typename Body>
[[nodiscard, gnu::noinline]] std::optional<Failure> run_guarded(const Body& body) {
  AssertionTrap trap;
  trap.outer = assertion_trap();
  assertion_trap() = &trap;
  std::optional<Failure> failure;
  if (setjmp(trap.target) == 0) {
    try {
      body();
    } catch (...) {
      failure = current_exception_as_failure();
    }
  } else {
    failure = Failure{Failure::Kind::assertion, trap.message};
  }
  assertion_trap() = trap.outer;
  return failure;
}

}  // namespace mazurka::actors
