// What a process needs of the machine before it can run: a thread pointer, a stack, thread-local
// variables.
#pragma once

#include <cstdint>
#include <vector>

#include "programs/threads/runtime/machine/snapshot.hpp"
#include "programs/threads/runtime/machine/stacks.hpp"
#include "programs/threads/runtime/part.hpp"

namespace mazurka::threads {

class Fibers : public Part {
 public:
  /// `entry`: where a process begins, called with itself.
  Fibers(Scheduler& scheduler, const ThreadLocals& thread_locals, Stacks& stacks,
         void (*entry)(void*))
      : Part(scheduler),
        thread_locals_(thread_locals),
        stacks_(stacks),
        entry_(entry),
        thread_pointers_{current_thread_pointer()} {}

  /// Throws std::runtime_error when the system refuses a thread.
  void make_room_for(ProcessId id);
  /// A new process of this execution, of which only the beginning is missing.
  Process& prepare(ProcessId id, ProcessId creator);
  /// The process, which has not run yet, belongs to this rank.
  void enter_rank(Process& one, std::int32_t rank);

 private:
  const ThreadLocals& thread_locals_;
  Stacks& stacks_;
  void (*entry_)(void*);
  std::vector<std::uintptr_t> thread_pointers_;  // by process; 0: none yet
};

}  // namespace mazurka::threads
