// What happens when a stack is used up while the engine works on it.
//
// Hooks run on the stack of the thread that calls them. One that uses it up may hold the lock of
// the C library's heap, and can not be broken off. So it is given a reserve below the stack and
// goes on; the next access of the program is then told that the stack is full.
#pragma once

#include <cstdint>

namespace mazurka::threads {

extern bool stack_reserve_is_open;

/// Maps the reserve, if `address` is where one would be and none is in use.
[[nodiscard]] bool open_stack_reserve(std::uintptr_t address);
/// Nobody runs any more: the stacks end again where they did.
void close_stack_reserve();

}  // namespace mazurka::threads
