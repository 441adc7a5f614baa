// Whose code is running: the program's, or the runtime's own.
//
// The hooks take over names that the runtime's own code uses too. What it does for itself must come
// through untouched, so it says when it is at work; there is one OS thread, hence plain variables.
#pragma once

#include "programs/threads/runtime/machine/heaps.hpp"
#include "programs/threads/runtime/machine/images.hpp"

namespace mazurka::threads {

/// True while the runtime's own code runs: allocations are then its own, hooks pass through.
extern bool inside_engine;
/// True once executions are being performed; before, and without a request, hooks pass through.
extern bool checking;
/// Whether the program under test is running under the scheduler. Otherwise (before main, without
/// a request, inside the engine) a hook does what the function it replaces would have done.
[[nodiscard]] inline bool scheduled() { return checking && !inside_engine; }
extern Heaps heaps;
/// Where strtok goes on: a part of the program's state.
extern char* place_of_strtok;
/// Set by the watchdog when it finds the runtime itself at work on behalf of a process that gets
/// nowhere: the process is given up at its next access.
extern volatile bool stall_requested;

// At both ends of our variables: those with an initial value, and those without.
inline constexpr std::uint64_t untouched = 0x6d61'7a75'726b'6121;
extern volatile std::uint64_t canary_with_value;
extern volatile std::uint64_t canary_without_value;
[[noreturn]] void die_overwritten();

/// Ends the process if the program has written over variables of ours, which are then worth
/// nothing: neither what was seen nor what would be said.
inline void die_if_overwritten() {
  if (canary_with_value != untouched || canary_without_value != ~untouched) [[unlikely]] {
    die_overwritten();
  }
}

class EngineScope {
 public:
  EngineScope() : before_(inside_engine) { inside_engine = true; }
  ~EngineScope() { inside_engine = before_; }
  EngineScope(const EngineScope&) = delete;
  EngineScope& operator=(const EngineScope&) = delete;

 private:
  bool before_;
};

}  // namespace mazurka::threads
