// Calls of the kernel without the C library, for whoever must not be seen or may not be trusted to
// be the C library's.
#pragma once

#include <cstdint>

namespace mazurka::threads {

/// Passed as the sixth argument: what the program itself may not ask for is granted to whoever
/// knows it (confinement.hpp). 0: nothing is refused.
extern long kernel_key;

/// Returns what the kernel does: errors are small negative numbers.
inline long call_kernel(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0) {
#if defined(__aarch64__)
  register long x8 asm("x8") = number;
  register long x0 asm("x0") = a;
  register long x1 asm("x1") = b;
  register long x2 asm("x2") = c;
  register long x3 asm("x3") = d;
  register long x4 asm("x4") = e;
  register long x5 asm("x5") = kernel_key;
  asm volatile("svc 0"
               : "+r"(x0)
               : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
               : "memory");
  return x0;
#else
  long result = number;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = kernel_key;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
#endif
}

inline long as_argument(const void* pointer) { return reinterpret_cast<long>(pointer); }

}  // namespace mazurka::threads
