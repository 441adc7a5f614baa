// What a program under test may call, in C and C++.
//
//   int n = mazurka_choose(3);        // C
//   int n = mazurka::choose(3);       // C++
//
// gives 0, 1 or 2, and the checker explores all three.
//
//   mazurka_atomic(add, &five);                   // C: uint64_t add(void*)
//   mazurka::atomic([&] { total += five; });      // C++
//   mazurka_assert(total < 100);                  // both
//
// runs a piece of code as one indivisible step. Of what it reads, its process remembers only what
// it returns; an assertion remembers only that it held. Techniques that compare states profit.
//
// Compiled without the checker a choice is 0 and a section is an ordinary call, so that the same
// source still builds and runs with a plain compiler.
#ifndef MAZURKA_MAZURKA_H_
#define MAZURKA_MAZURKA_H_

#include <assert.h>
#include <stdint.h>

#ifdef __cplusplus
#include <cstring>
#include <type_traits>
extern "C" {
#endif

// Provided by the checker's runtime; absent, and then null, in a plain build.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
int __mazurka_choose(int n) __attribute__((weak));

/// A value from 0 to n - 1 (n at least 1), each of which is explored.
static inline int mazurka_choose(int n) { return __mazurka_choose ? __mazurka_choose(n) : 0; }

// NOLINTNEXTLINE(bugprone-reserved-identifier)
void __mazurka_atomic(uint64_t (*body)(void*), void* argument) __attribute__((weak));

/// Runs `body(argument)` as one step. It must not lock, wait, create threads or allocate.
static inline void mazurka_atomic(uint64_t (*body)(void*), void* argument) {
  if (__mazurka_atomic) {
    __mazurka_atomic(body, argument);
  } else {
    body(argument);
  }
}

#ifdef __cplusplus
}  // extern "C"

namespace mazurka {

/// A value from 0 to n - 1 (n at least 1), each of which is explored.
[[nodiscard]] inline int choose(int n) { return mazurka_choose(n); }

/// Runs `body()` as one step and gives what it returns (a trivially copyable value, or nothing).
/// It must not lock, wait, create threads or allocate.
template <typename Body>
auto atomic(Body&& body) {
  using Result = decltype(body());
  if constexpr (std::is_void_v<Result>) {
    mazurka_atomic(
        [](void* argument) -> uint64_t {
          (*static_cast<std::remove_reference_t<Body>*>(argument))();
          return 0;
        },
        &body);
  } else {
    static_assert(std::is_trivially_copyable_v<Result> && sizeof(Result) <= 8,
                  "a section returns a small value: that is all its process remembers");
    struct Call {
      std::remove_reference_t<Body>* body;
      Result result;
    } call{&body, Result{}};
    mazurka_atomic(
        [](void* argument) -> uint64_t {
          auto& own = *static_cast<Call*>(argument);
          own.result = (*own.body)();
          uint64_t told = 0;
          std::memcpy(&told, &own.result, sizeof own.result);
          return told;
        },
        &call);
    return call.result;
  }
}

}  // namespace mazurka

/// An assertion as one step, of which only the outcome is remembered.
#define mazurka_assert(condition) \
  assert(::mazurka::atomic([&]() -> bool { return static_cast<bool>(condition); }) && #condition)
#else
/// An assertion. (In C its reads are ordinary ones.)
#define mazurka_assert(condition) assert(condition)
#endif

#endif  // MAZURKA_MAZURKA_H_
