// Threads: how they come into being, wait for each other, and end.
#pragma once

#include <pthread.h>

#include "programs/threads/runtime/fibers.hpp"
#include "programs/threads/runtime/part.hpp"
#include "programs/threads/runtime/thread_keys.hpp"

namespace mazurka::threads {

class HeapChecks;
class QuietBeginning;
class ThreadMemory;

/// The pthread_t that names a process; 0 is nobody.
[[nodiscard]] inline pthread_t handle_of(ProcessId process) { return index(process) + 1; }

class Threads : public Part {
 public:
  struct Others {
    Fibers& fibers;
    ThreadKeys& keys;
    HeapChecks& heap;
    ThreadMemory& memory;
    const QuietBeginning& beginning;
  };
  Threads(Scheduler& scheduler, const Others& others)
      : Part(scheduler),
        fibers_(others.fibers),
        keys_(others.keys),
        heap_(others.heap),
        memory_(others.memory),
        beginning_(others.beginning) {}

  /// The new thread finds its own name in `handle` from its beginning.
  /// `rank`: it is the first of this rank of MPI; -1: it belongs to that of its creator, if any.
  void create(pthread_t* handle, void* (*routine)(void*), void* argument, bool detached,
              std::int32_t rank = -1);
  int join(ProcessId target, void** result);
  /// EBUSY if the thread has not ended yet, which nobody but who joins it can know.
  int try_join(ProcessId target, void** result);
  int detach(ProcessId target);
  /// The current one.
  [[noreturn]] void end(void* result);
  [[noreturn]] void end_program(bool run_handlers, int code = 0);
  void add_exit_handler(ExitHandler handler);
  /// Those that are left, the latest first: of one object, as it ends, or all.
  void run_exit_handlers(const void* object = nullptr);
  /// One of so many outcomes, any of them.
  int choose(int count);

 private:
  void run_thread_exit_handlers();
  void report_exit_code(std::uint8_t code);
  void note_who_waits();
  [[noreturn]] void end_rank();
  void finish_current(void* result);

  Fibers& fibers_;
  ThreadKeys& keys_;
  HeapChecks& heap_;
  ThreadMemory& memory_;
  const QuietBeginning& beginning_;
};

}  // namespace mazurka::threads
