// What the runtime knows of the program's synchronisation objects: their state is here, not in the
// program's memory. They are named by object ids, which last for the whole exploration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/ids.hpp"
#include "programs/threads/runtime/memory_model/clocks.hpp"
#include "programs/threads/runtime/primitives/operations.hpp"

namespace mazurka::threads {

/// Also a guard of a static variable, and what pthread_once goes by.
struct Mutex {
  ProcessId owner = no_process;
  std::uint32_t depth = 0;
  bool done = false;               // once: the routine has run
  std::vector<ProcessId> lockers;  // parked at a lock operation
  Clock released;
  friend bool operator==(const Mutex&, const Mutex&) = default;
};

/// Also a futex.
struct Condition {
  struct Waiter {
    ProcessId process;
    ObjectId mutex;      // to be held again; none for a futex
    bool timed = false;  // can go on without a signal
    friend bool operator==(const Waiter&, const Waiter&) = default;
  };
  static constexpr ObjectId no_mutex{0xffffffff};
  std::vector<Waiter> waiters;  // sorted by process
  friend bool operator==(const Condition&, const Condition&) = default;
};

/// What guards compare: who holds it, or mutex_free.
[[nodiscard]] inline std::uint64_t value_of_mutex(const Mutex& state) {
  return state.owner == no_process ? mutex_free : index(state.owner) + 1;
}

/// Who waits, in whatever order they came; 0: nobody.
[[nodiscard]] inline std::uint64_t value_of_condition(const Condition& state) {
  std::uint64_t digest = 0;
  for (const Condition::Waiter& one : state.waiters) {
    digest ^= fingerprint_of(index(one.process) + 1, one.timed ? 1 : 0).low;
  }
  return digest;
}

/// A read-write lock, spin lock or semaphore: a number, and who waits until it is as they wish.
struct Gate {
  std::uint64_t value = 0;
  struct Waiting {
    ProcessId process;
    std::uint16_t wish;
    friend bool operator==(const Waiting&, const Waiting&) = default;
  };
  std::vector<Waiting> waiting;
  std::vector<ProcessId> holders;  // of a lock, each as often as it holds it
  Clock released;                  // by whoever held it alone, or gave a token
  Clock shared_released;           // by those who shared it: they do not order each other
  friend bool operator==(const Gate&, const Gate&) = default;
};

/// What a gate is to the program.
enum class GateUse : std::uint8_t { read_write_lock, spin_lock, semaphore };
[[nodiscard]] constexpr std::string_view name(GateUse use) {
  switch (use) {
    case GateUse::read_write_lock: return "read-write lock";
    case GateUse::spin_lock: return "spin lock";
    case GateUse::semaphore: return "semaphore";
  }
  return "lock";
}

struct Barrier {
  bool destroyed = false;
  unsigned count = 1;  // 0: not initialised
  std::size_t arrivals = 0;
  struct Round {
    std::vector<ProcessId> lookers;  // may look whether they are the serial one
    ProcessId chooser = no_process;  // the first of them: its step says who that is
    ProcessId serial = no_process;   // one of them, or no_process for one who does not look
    Clock gathered;
    friend bool operator==(const Round&, const Round&) = default;
  };
  std::vector<Round> rounds;
  std::vector<ProcessId> users;
  struct Waiting {
    ProcessId process;
    std::uint16_t rounds;
    friend bool operator==(const Waiting&, const Waiting&) = default;
  };
  std::vector<Waiting> waiting;
  friend bool operator==(const Barrier&, const Barrier&) = default;
};

/// Whether those who meet at a barrier learn what the others have done.
enum class Meeting : std::uint8_t { ordering, silent };

/// What those get to know who acquire from an atomic variable.
struct AtomicCell {
  Clock released;
  friend bool operator==(const AtomicCell&, const AtomicCell&) = default;
};

}  // namespace mazurka::threads
