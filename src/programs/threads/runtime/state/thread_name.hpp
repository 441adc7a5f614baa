// The names that threads have for the kernel.
#pragma once

#include <errno.h>

#include <array>
#include <cstring>

namespace mazurka::threads {

/// Ends with a zero.
using ThreadName = std::array<char, 16>;

/// As the kernel gives it to the first thread of a program.
[[nodiscard]] inline ThreadName first_name() {
  ThreadName name{};
  std::strncpy(name.data(), program_invocation_short_name, name.size() - 1);
  return name;
}

}  // namespace mazurka::threads
