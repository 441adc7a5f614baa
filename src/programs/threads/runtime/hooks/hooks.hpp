// What every hook begins with.
#pragma once

#include "programs/threads/runtime/machine/native.hpp"
#include "programs/threads/runtime/runtime.hpp"

#define MAZURKA_HOOK extern "C" __attribute__((visibility("default")))

namespace mazurka::threads {

/// Whom a pthread_t names (handle_of).
[[nodiscard]] inline ProcessId process_of(pthread_t handle) {
  const auto value = static_cast<std::uintptr_t>(handle);
  return value == 0 || value > max_processes ? no_process : static_cast<ProcessId>(value - 1);
}

}  // namespace mazurka::threads
