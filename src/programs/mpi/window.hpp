// What a window of MPI is, and what is under way in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/ids.hpp"
#include "programs/mpi/datatypes.hpp"
#include "programs/mpi/matching.hpp"
#include "programs/mpi/window_log.hpp"

namespace mazurka::mpi {

using native::VectorClock;

/// A request is one of its rank's table.
struct RequestRef {
  std::int32_t rank = -1;
  std::uint32_t number = 0;
  [[nodiscard]] bool any() const { return rank >= 0; }
  friend bool operator==(const RequestRef&, const RequestRef&) = default;
};

/// How the memory of a window came about, as mpi.h numbers it.
namespace flavor {
inline constexpr int created = 311;
inline constexpr int allocated = 312;
inline constexpr int dynamic = 313;
inline constexpr int shared = 314;
}  // namespace flavor

/// The memory that a rank contributes.
struct WindowPart {
  std::uintptr_t base = 0;
  std::uint64_t size = 0;
  int unit = 1;
  std::vector<Piece> attached;  // of a dynamic window
  friend bool operator==(const WindowPart&, const WindowPart&) = default;
};

/// A lock that a rank has, or had. MPI need not grant it when it is asked for, but only when an
/// operation under it has to be complete: whom the rank meets before that may have been first.
struct Hold {
  int rank = -1;  // of the window
  ProcessId process = no_process;
  bool alone = false;
  bool used = false;             // there is an operation under it
  bool certain = false;          // one of these is complete
  bool met_others = false;       // before that
  std::uint32_t given_back = 0;  // by the clock of the process; 0: it has it
  friend bool operator==(const Hold&, const Hold&) = default;
};

/// The lock of one rank's part: one rank has it alone, or several share it.
struct WindowLock {
  ObjectId object{};
  int owner = -1;  // rank of the window
  std::vector<int> sharers;
  VectorClock given_back_alone;  // what those knew who had it
  VectorClock given_back_shared;
  std::vector<Hold> holds;  // those it has now, and those that may have been granted late

  [[nodiscard]] bool allows(bool alone) const { return owner < 0 && (!alone || sharers.empty()); }
  /// As guards see it.
  [[nodiscard]] std::uint64_t value() const {
    constexpr std::uint64_t held_alone = std::uint64_t{1} << 32U;
    return owner >= 0 ? held_alone : sharers.size();
  }
  friend bool operator==(const WindowLock&, const WindowLock&) = default;
};

/// A process that waits for locks.
struct LockWaiter {
  ProcessId process = no_process;
  std::uint32_t window = 0;
  int target = -1;  // negative: of all ranks
  bool alone = false;
  friend bool operator==(const LockWaiter&, const LockWaiter&) = default;
};

/// MPI_Win_post of a rank: those whom it lets at its memory come (start) and go (complete).
struct Exposure {
  ObjectId object{};
  std::uint32_t event = no_event;
  VectorClock knowledge;
  std::vector<int> group;           // ranks of the window
  std::vector<bool> started;        // by each of these
  std::vector<std::uint32_t> gone;  // the event, or no_event
  VectorClock brought;              // what those know who are gone
  bool over = false;
  friend bool operator==(const Exposure&, const Exposure&) = default;
};

struct Window {
  CommunicatorKey key = 0;  // of a communicator of its own, which no program sees
  int made = flavor::created;
  std::string name;
  std::vector<WindowPart> parts;                 // by rank
  std::vector<WindowLock> locks;                 // by rank
  std::vector<std::vector<Exposure>> exposures;  // by rank, in order
  friend bool operator==(const Window&, const Window&) = default;
};

enum class Held : std::uint8_t { nothing, shared, alone, unchecked };

/// The window as a rank holds it.
struct WindowHandle {
  std::uint32_t window = 0;        // number in World::windows
  std::uint32_t communicator = 0;  // number in Rank::communicators
  bool freed = false;
  bool fenced = false;  // the epoch of a fence is open
  bool all_locked = false;
  std::vector<Held> held;  // locks, by target
  bool started = false;
  bool started_early = false;  // before the rank knew by other means that the others had posted
  std::vector<int> start_group;
  bool posted = false;
  std::uint64_t handler = 0;
  std::vector<std::pair<int, void*>> attributes;
  std::vector<std::pair<std::string, std::string>> info;
  std::vector<std::uint64_t> stack;
  std::vector<std::uint64_t> epoch_stack;  // where the epoch was begun
  friend bool operator==(const WindowHandle&, const WindowHandle&) = default;
};

/// Memory of windows that a rank may touch by itself.
struct Exposed {
  Piece piece;
  std::uint32_t window = 0;
  bool shared = false;  // with ranks that have it in their own
  friend bool operator==(const Exposed&, const Exposed&) = default;
};

/// An atomic update of memory of another rank: it is a step of its own, of a process without a
/// stack, some time between its call and the end of its epoch.
struct Update {
  std::uint32_t window = 0;
  int target = 0;
  ProcessId process = no_process;  // that asked for it
  ProcessId agent = no_process;
  std::uint32_t issued = no_event;
  std::uint32_t performed = no_event;
  bool announced = false;
  bool looks = false;                   // it may turn out to change nothing
  bool changes = false;                 // it has not
  std::vector<std::uint64_t> versions;  // of the cells, afterwards
  bool settled = false;                 // its rank knows that it was performed
  std::int32_t rank = -1;
  RequestRef request;    // of the program, that is complete then
  std::uint64_t op = 0;  // 0: compare and swap
  std::vector<Piece> pieces;
  std::vector<std::byte> operand;  // packed
  std::vector<std::byte> compared;
  std::uintptr_t memory = 0;
  Datatype layout;                    // of the target
  const Datatype* element = nullptr;  // a predefined type
  std::uint64_t count = 0;
  void* result = nullptr;
  Datatype result_layout;
  std::uint64_t result_count = 0;
  std::vector<ObjectId> cells;
  std::uint8_t mode = 0;
  const char* call = "";
  std::vector<std::uint64_t> stack;
  VectorClock knowledge;  // of who asked for it
  VectorClock learned;    // from what was there
  friend bool operator==(const Update&, const Update&) = default;
};

}  // namespace mazurka::mpi
