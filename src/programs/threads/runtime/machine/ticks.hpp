// How long something takes, in ticks of the processor's own clock: to ask it costs next to nothing,
// and nobody takes it for the program's clock.
#pragma once

#include <cstdint>

namespace mazurka::threads {

[[nodiscard]] inline std::uint64_t ticks() {
#if defined(__aarch64__)
  std::uint64_t now = 0;
  asm volatile("mrs %0, cntvct_el0" : "=r"(now));
  return now;
#else
  return __builtin_ia32_rdtsc();
#endif
}

}  // namespace mazurka::threads
