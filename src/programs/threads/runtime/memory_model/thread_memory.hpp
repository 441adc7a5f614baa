// Memory that is gone when its thread has ended: its stack and its thread-local variables.
//
// The end of a thread is a write to all of it, and conflicts with whatever other threads do there.
// To write to each byte would take long, and it is all the same thread that does it. So one place
// stands for all of a thread's stack, and another one for all of its thread-local variables: other
// threads read there whenever they use such memory, the end is a write. The places are where
// nothing else is: in the guard of the stack.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "programs/threads/runtime/machine/snapshot.hpp"
#include "programs/threads/runtime/part.hpp"

namespace mazurka::threads {

class Accesses;
class Races;

enum class ThreadMemoryKind : std::uint8_t { stack, locals };

class ThreadMemory : public Part {
 public:
  ThreadMemory(Scheduler& scheduler, Accesses& accesses, Races& races,
               const ThreadLocals& thread_locals)
      : Part(scheduler), accesses_(accesses), races_(races), thread_locals_(thread_locals) {}

  /// Whose thread-local variable this may be: not that of the current process.
  [[nodiscard]] std::optional<ProcessId> other_owner_of_local(std::uintptr_t address) const {
    const std::optional<ProcessId> owner = thread_locals_.owner_of(address);
    return owner == self().id ? std::nullopt : owner;
  }
  /// The current process accesses memory of another one. `announced`: it is only going to, and
  /// others may move before it does.
  void use(ThreadMemoryKind what, ProcessId owner, std::uintptr_t address, std::size_t size,
           bool write, const void* code, bool announced);
  /// The current process ends.
  void end();

 private:
  [[nodiscard]] static std::uintptr_t place_of(ThreadMemoryKind what, ProcessId owner);
  [[nodiscard]] bool belongs_to(ThreadMemoryKind what, ProcessId owner,
                                std::uintptr_t address) const;
  void end_of(ThreadMemoryKind what);
  void end_as_step();
  [[noreturn]] void fail_to_end(ThreadMemoryKind what);

  Accesses& accesses_;
  Races& races_;
  const ThreadLocals& thread_locals_;
  std::vector<std::uintptr_t> shared_;  // learned_.escaped, in order
};

}  // namespace mazurka::threads
