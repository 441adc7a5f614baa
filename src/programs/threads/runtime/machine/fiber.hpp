// Fibers: the processes of the program under test, as user-space contexts of one OS thread.
//
// A switch saves the callee-saved registers on the stack it leaves and loads those of the stack it
// enters; it also sets the thread pointer, so that `thread_local` variables, `errno` and the
// exception state belong to the fiber. How it calculates with floating-point numbers (rounding,
// traps, what has happened so far) is the fiber's own, too. The thread pointers are those of real
// OS threads that are parked for ever: the C library has set up everything that hangs off them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mazurka::threads {

/// A context that can be switched to: where its registers are saved, and its thread pointer.
struct Context {
  void* stack_pointer = nullptr;
  std::uintptr_t thread_pointer = 0;
  friend bool operator==(const Context&, const Context&) = default;
};

/// Fibers return on stacks that the processor has not seen being called on. One that watches over
/// returns (x86-64, shadow stacks) is asked to stop that. False: it refuses.
[[nodiscard]] bool allow_fibers();

/// Leaves `from` and goes on where `to` left off.
void switch_context(Context& from, const Context& to);
/// Goes on where `to` left off; the current context is lost.
[[noreturn]] void enter_context(const Context& to);

/// Makes the context call `entry(argument)` on the stack that ends at `top` when it is entered.
/// `entry` must not return. The new context calculates with floating-point numbers as its maker
/// does.
void prepare_context(Context& context, void* top, void (*entry)(void*), void* argument);

[[nodiscard]] std::uintptr_t current_thread_pointer();

/// How floating-point numbers are calculated with, and which exceptions have occurred.
struct FloatingPoint {
  std::uint64_t control = 0;
  std::uint64_t status = 0;
};
[[nodiscard]] FloatingPoint floating_point();
void set_floating_point(FloatingPoint wanted);

/// So many threads will probably be asked for: they may begin.
void park_ahead(std::size_t threads);
/// The thread pointer of the n-th parked OS thread, in its part of the parked zone (memory.hpp);
/// parks further threads as needed.
/// Throws std::runtime_error when the system refuses a thread.
[[nodiscard]] std::uintptr_t parked_thread_pointer(std::size_t nth);

}  // namespace mazurka::threads
