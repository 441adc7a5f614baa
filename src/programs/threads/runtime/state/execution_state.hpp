// All that changes while the program runs and must be put back before it runs again.
//
// It is one value. A copy is a checkpoint, assigning one restores it, and an execution begins with
// the initial state assigned to it. Copying, assigning and comparing are left to the compiler, for
// every structure in here: a member that is added is copied, restored and compared without a word,
// and one that can not be does not compile.
//
// Executions take some thirty microseconds, so nothing in here may be slow to put back. Vectors
// keep their memory when they are assigned to; what there may be much of is kept in tables, which
// are emptied in the time that was used (core/table.hpp), and the race detector's records are
// stamped.
//
// What is not in here: the program's memory (machine/), what is learned of the program for the
// whole exploration (learned.hpp), and names of objects, which last as long (names.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/ids.hpp"
#include "core/list.hpp"
#include "core/table.hpp"
#include "core/vocabulary.hpp"
#include "programs/messages/exchange.hpp"
#include "programs/mpi/world.hpp"
#include "programs/threads/runtime/memory_model/access_graph.hpp"
#include "programs/threads/runtime/memory_model/atomic_cell.hpp"
#include "programs/threads/runtime/memory_model/firm_order.hpp"
#include "programs/threads/runtime/memory_model/history.hpp"
#include "programs/threads/runtime/memory_model/race_detector.hpp"
#include "programs/threads/runtime/memory_model/race_ledger.hpp"
#include "programs/threads/runtime/memory_model/trace_past.hpp"
#include "programs/threads/runtime/primitives/barrier.hpp"
#include "programs/threads/runtime/primitives/condition.hpp"
#include "programs/threads/runtime/primitives/gate.hpp"
#include "programs/threads/runtime/primitives/latch.hpp"
#include "programs/threads/runtime/primitives/mutex.hpp"
#include "programs/threads/runtime/primitives/phased_barrier.hpp"
#include "programs/threads/runtime/state/learned.hpp"
#include "programs/threads/runtime/state/process.hpp"
#include "programs/threads/runtime/state/state_tracker.hpp"
#include "programs/threads/runtime/surroundings/outside_uses.hpp"

namespace mazurka::threads {

/// What an annotation has passed on, for those who learn from the same object.
struct Annotated {
  const void* object = nullptr;
  VectorClock released;
  friend bool operator==(const Annotated&, const Annotated&) = default;
};

/// Memory in which the program says that races do no harm.
struct Tolerated {
  std::uintptr_t begin = 0;
  std::size_t size = 0;
  friend bool operator==(const Tolerated&, const Tolerated&) = default;
};

/// A heap block, for questions about races.
struct Allocation {
  std::uint32_t nth = 0;    // of its owner
  std::uint32_t stack = 0;  // StackNumbers
  friend bool operator==(const Allocation&, const Allocation&) = default;
};

/// What was in memory before an indivisible section wrote there.
struct Undo {
  std::uintptr_t address = 0;
  std::vector<std::byte> bytes;
  friend bool operator==(const Undo&, const Undo&) = default;
};

/// Whether the current process is in an indivisible section.
enum class Section : std::uint8_t { none, rehearsal, performance };

/// A pthread key.
struct ThreadKey {
  unsigned name = 0;
  void (*destructor)(void*) = nullptr;
  friend bool operator==(const ThreadKey&, const ThreadKey&) = default;
};

struct ExecutionState {
  // Who there is, and who moves.
  Table<ProcessId, Process> processes;
  Decision decision;         // the latest
  std::size_t live = 0;      // processes that have not ended
  std::size_t unjoined = 0;  // finished, and nobody has joined them
  std::size_t spinning = 0;  // were taken out
  std::size_t picking = 0;   // wait for what they picked
  bool had_company = false;  // there has been another process
  bool someone_failed = false;
  bool before_check = false;  // on the way to the call that is checked
  std::size_t older = 0;      // processes that there were before it

  // The step under way.
  bool quiet = false;            // it may turn out to change nothing
  std::uint64_t operands = 0;    // of the atomic operation that comes
  List<std::uintptr_t> visited;  // words of the stacks of others that it has written

  // Primitives, by the object that they are.
  Table<ObjectId, Mutex> mutexes;
  Table<ObjectId, Condition> conditions;
  Table<ObjectId, Gate> gates;
  Table<ObjectId, Barrier> barriers;
  Table<ObjectId, Latch> latches;
  Table<ObjectId, PhasedBarrier> phased_barriers;
  Table<ObjectId, AtomicCell> atomics;

  // Memory that is not sequentially consistent.
  TracePast past;
  Table<ObjectId, History> histories;
  AccessGraph graph;

  // Message passing.
  messages::Exchange exchange;
  List<ObjectId> message_objects;                     // that were used
  Table<std::uint32_t, VectorClock> event_knowledge;  // per event: what those learn whom it fulfils
  Table<ObjectId, VectorClock> gathered;              // of all who released or arrived there

  // MPI.
  mpi::World mpi;

  // Data races.
  bool credited_less = false;  // somebody may know more than it was credited with (AtomicCell)
  RaceDetector races;
  RaceLedger ledger;  // only if there are suppressions, as the following
  std::unordered_map<std::uintptr_t, Allocation> allocations;
  List<std::size_t> met;  // of Learned::accepted
  List<Annotated> annotated;
  List<Tolerated> tolerated;

  OutsideUses outside;        // of what is not memory
  bool went_outside = false;  // something is changed that is neither memory nor in here

  // Indivisible sections.
  Section section = Section::none;
  std::uintptr_t section_frame = 0;  // where the stack of its functions begins
  List<Touched> touched;
  List<Undo> undo;
  bool block_shown = false;  // somebody has taken a step in the middle of a block

  // Ends.
  List<ExitHandler> exit_handlers;
  List<ThreadKey> keys;  // that there are, in no order that matters

  // The fingerprint of all this, if it is asked for.
  bool tracking = false;
  StateTracker tracker;
  List<Access> committed;  // the footprint of the step that was committed last
  bool effects_due = false;
  FirmOrder firm_order;

  friend bool operator==(const ExecutionState&, const ExecutionState&) = default;
};

}  // namespace mazurka::threads
