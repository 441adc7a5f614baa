#include "programs/actors/failures.hpp"

#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <typeinfo>

namespace mazurka::actors {

AssertionTrap*& assertion_trap() {
  static thread_local AssertionTrap* trap = nullptr;
  return trap;
}

Failure current_exception_as_failure() {
  try {
    throw;
  } catch (const Expectation& expectation) {
    return {Failure::Kind::expectation, expectation.text};
  } catch (const std::exception& exception) {
    int status = 0;
    const char* mangled = typeid(exception).name();
    char* readable = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
    std::string message = "exception of type " + std::string(status == 0 ? readable : mangled) +
                          " is not caught: " + exception.what();
    std::free(readable);
    return {Failure::Kind::exception, std::move(message)};
  } catch (...) {
    return {Failure::Kind::exception, "an exception is not caught"};
  }
}

}  // namespace mazurka::actors

// assert() calls this. Inside a handler it is a finding; elsewhere it is what it always was.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the C library's name
extern "C" [[noreturn, gnu::visibility("default")]] void __assert_fail(
    const char* text, const char* file, unsigned line, const char* function) noexcept {
  using mazurka::actors::assertion_trap;
  if (auto* trap = assertion_trap()) {
    const char* base = file;
    for (const char* at = file; *at != '\0'; ++at) {
      if (*at == '/') base = at + 1;
    }
    std::snprintf(trap->message, sizeof trap->message, "assertion `%s` fails at %s:%u", text, base,
                  line);
    std::longjmp(trap->target, 1);
  }
  std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, text);
  std::abort();
}
