// Fibers: the processes of the program under test, as user-space contexts of one OS thread.
//
// A switch saves the callee-saved registers on the stack it leaves and loads those of the stack it
// enters; it also sets the thread pointer, so that `thread_local` variables, `errno` and the
// exception state belong to the fiber. The thread pointers are those of real OS threads that are
// parked for ever: the C library has set up everything that hangs off them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mazurka::threads {

/// A context that can be switched to: where its registers are saved, and its thread pointer.
struct Context {
  void* stack_pointer = nullptr;
  std::uintptr_t thread_pointer = 0;
};

/// Leaves `from` and goes on where `to` left off.
void switch_context(Context& from, const Context& to);
/// Goes on where `to` left off; the current context is lost.
[[noreturn]] void enter_context(const Context& to);

/// Makes the context call `entry(argument)` on the stack that ends at `top` when it is entered.
/// `entry` must not return.
void prepare_context(Context& context, void* top, void (*entry)(void*), void* argument);

[[nodiscard]] std::uintptr_t current_thread_pointer();

/// The thread pointer of the n-th parked OS thread; parks further threads as needed.
/// Throws std::runtime_error when the system refuses a thread.
[[nodiscard]] std::uintptr_t parked_thread_pointer(std::size_t nth);

}  // namespace mazurka::threads
