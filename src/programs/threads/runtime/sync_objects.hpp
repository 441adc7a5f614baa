// What the runtime knows of the program's synchronisation objects: their state is here, not in the
// program's memory. They are named by object ids, which last for the whole exploration; what was
// noted in an older execution counts as never noted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "programs/threads/runtime/clocks.hpp"

namespace mazurka::threads {

/// Also a guard of a static variable, and what pthread_once goes by.
struct Mutex {
  std::uint32_t execution = 0;  // state of older executions counts as free
  ProcessId owner = no_process;
  std::uint32_t depth = 0;
  bool done = false;               // once: the routine has run
  std::vector<ProcessId> lockers;  // parked at a lock operation
  Clock released;
};

/// Also a futex.
struct Condition {
  std::uint32_t execution = 0;
  struct Waiter {
    ProcessId process;
    ObjectId mutex;      // to be held again; none for a futex
    bool timed = false;  // can go on without a signal
  };
  static constexpr ObjectId no_mutex{0xffffffff};
  std::vector<Waiter> waiters;  // sorted by process
};

/// A read-write lock, spin lock or semaphore: a number, and who waits until it is as they wish.
struct Gate {
  std::uint32_t execution = 0;
  std::uint64_t value = 0;
  struct Waiting {
    ProcessId process;
    std::uint16_t wish;
  };
  std::vector<Waiting> waiting;
  std::vector<ProcessId> holders;  // of a lock, each as often as it holds it
  Clock released;                  // by whoever held it alone, or gave a token
  Clock shared_released;           // by those who shared it: they do not order each other
};

struct Barrier {
  std::uint32_t execution = 0;
  bool crowded = false;  // for the whole exploration: more use it than it lets through at once
  bool destroyed = false;
  unsigned count = 1;  // 0: not initialised
  std::size_t arrivals = 0;
  struct Round {
    std::size_t first = max_processes;
    Clock gathered;
  };
  std::vector<Round> rounds;
  std::vector<ProcessId> users;
  struct Waiting {
    ProcessId process;
    std::uint16_t rounds;
  };
  std::vector<Waiting> waiting;
};

/// Whether those who meet at a barrier learn what the others have done.
enum class Meeting : std::uint8_t { ordering, silent };

/// What those get to know who acquire from an atomic variable.
struct AtomicCell {
  std::uint32_t execution = 0;
  Clock released;
};

}  // namespace mazurka::threads
