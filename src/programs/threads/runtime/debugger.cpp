// Where a debugger stops (debugger.hpp). It is compiled alone, with all debug information, so that
// the arguments are shown.
#include "programs/threads/runtime/debugger.hpp"

// The compiler must neither leave out the calls nor forget what they are told.
extern "C" void mazurka_failure(const char* message) {
  __asm__ volatile("" : : "r"(message) : "memory");
}
extern "C" void mazurka_waits() { __asm__ volatile("" : : : "memory"); }
