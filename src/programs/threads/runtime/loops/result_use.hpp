// Whether a caller may look at what a function returns.
//
// pthread_barrier_wait tells one of the threads that it let through that it is the serial one. Any
// of them can be, so every choice has to be explored; but hardly any program looks, and then all
// choices are the same. And additions to an atomic counter commute if nobody looks at what was
// there before (memory_model/atomics.cpp). So the instructions behind the call are read: if the
// register that has the result is overwritten, or lost in another call, before anything can have
// read it, nobody looks. Only the commonest instructions are known; whatever else is found there
// may look.
//
// The readers are plain functions of bytes, each for one kind of machine.
#pragma once

#include <cstdint>

namespace mazurka::threads {

/// `code`: where the call returns to. `ignores_arguments(address)`: the function at the address
/// takes no arguments.
[[nodiscard]] bool may_use_result_aarch64(const void* code,
                                          bool (*ignores_arguments)(std::uintptr_t));
[[nodiscard]] bool may_use_result_x86_64(const void* code);

/// For the machine that we are on.
[[nodiscard]] bool may_use_result(const void* code);

}  // namespace mazurka::threads
