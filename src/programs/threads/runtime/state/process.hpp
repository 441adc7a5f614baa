// One process of the program, as the runtime knows it in this execution.
#pragma once

#include <unwind.h>

#include <cstdint>
#include <optional>
#include <string>

#include "core/ids.hpp"
#include "core/list.hpp"
#include "host/protocol.hpp"
#include "native/memory_model/clocks.hpp"
#include "programs/messages/exchange.hpp"
#include "programs/threads/runtime/loops/spin_watch.hpp"
#include "programs/threads/runtime/machine/fiber.hpp"
#include "programs/threads/runtime/state/logical_time.hpp"
#include "programs/threads/runtime/state/thread_name.hpp"

namespace mazurka::threads {
using namespace host;
using namespace native;
using namespace host;

/// A destructor to be called when a thread or the program ends.
struct ExitHandler {
  void (*function)(void*) = nullptr;
  void* argument = nullptr;
  const void* object = nullptr;  // the executable or library that it belongs to, by its handle
  std::int32_t rank = -1;        // of MPI, at whose end it is called
  friend bool operator==(const ExitHandler&, const ExitHandler&) = default;
};

/// The value that a process has for a pthread key.
struct SpecificValue {
  unsigned key = 0;
  void* value = nullptr;
  friend bool operator==(const SpecificValue&, const SpecificValue&) = default;
};

/// A request that a process has made (mazurka/messages.hpp).
struct MessageRequest {
  messages::Ticket ticket;
  std::uintptr_t address = 0;
  bool semaphore = false;
  friend bool operator==(const MessageRequest&, const MessageRequest&) = default;
};

/// Of pthread_exit: outlives the frames that it unwinds.
struct Unwinding {
  _Unwind_Exception exception{};
  friend bool operator==(const Unwinding& one, const Unwinding& other) {
    return one.exception.exception_class == other.exception.exception_class &&
           one.exception.private_1 == other.exception.private_1 &&
           one.exception.private_2 == other.exception.private_2;
  }
};

struct Process {
  Context context;
  std::uintptr_t frame = 0;  // while parked: mazurka_far_frame
  ProcessId id{};
  std::int32_t rank = -1;  // of MPI, that it belongs to
  bool finished = false;
  bool failed = false;  // stands before its failure for good: nobody can join it
  bool detached = false;
  bool joined = false;
  bool starting = false;  // runs towards its first visible operation on its creator's behalf
  ProcessId creator = no_process;
  ProcessId joiner = no_process;
  void* (*routine)(void*) = nullptr;
  void* argument = nullptr;
  void* result = nullptr;
  List<ExitHandler> thread_exit_handlers;
  List<void*> cleanups;  // buffers of pthread_cleanup_push
  List<SpecificValue> specific;
  unsigned keys = 0;  // so many it has created
  Knowledge knowledge;
  SpinWatch watch;
  LogicalTime time;                 // as the process sees it
  std::uint64_t blocked = 0;        // signals (Dispositions::Mask)
  std::uint64_t pending = 0;        // ... that have been sent, and wait until they are not blocked
  ThreadName name{};                // that the program has given it
  std::uint64_t chance = 1;         // where it is in its row of random numbers
  std::uint32_t ignored = 0;        // its accesses are not looked at for races, by its own wish
  std::uint32_t samples = 0;        // values that may be anything so far
  std::uint32_t spurious = 0;       // wake-ups without a signal so far
  std::uint32_t weak_failures = 0;  // compare-exchanges that failed without a reason so far
  std::uint32_t sections = 0;       // indivisible sections begun so far
  std::uint32_t barriers = 0;       // of the processor, in primitives, so far; under tso
  std::uint32_t blocks = 0;         // the competition's atomic blocks that it is in
  List<MessageRequest> requests;
  std::optional<messages::Ticket> ticket;  // parked until it is fulfilled
  List<std::uint64_t> picked_from;         // ... and chosen out of these requests
  Unwinding unwinding;
  const void* atomic_code = nullptr;  // where its atomic operation under way was called
  std::uint8_t atomic_mode = 0;       // ... and how it was announced
  // What it announced, for reports.
  Action action{};
  std::uintptr_t address = 0;
  ProcessId peer = no_process;
  std::string words;  // of MPI
  List<std::uint64_t> stack;
  List<std::uint64_t> ends;  // of its frames
  friend bool operator==(const Process&, const Process&) = default;
};

}  // namespace mazurka::threads
