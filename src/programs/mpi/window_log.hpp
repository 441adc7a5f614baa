// Who has touched the memory of windows, and whether anything orders two that did.
//
// An operation of another rank is not done when its call returns: until its epoch ends, or it is
// flushed, it may happen at any moment. So it is not in the order of its process, but begins at its
// call and ends at the tick of its process at which it is complete. Two accesses are in order if
// one is complete before the other begins, as far as the process of the other knows. Loads and
// stores of the program begin and end at once.
//
// Two that nothing orders are in conflict if they overlap and one of them writes; but operations
// that update memory atomically (MPI_Accumulate and its relatives) are not in conflict with each
// other as long as they go through the same window and are of the same operation and type, or one
// process made both, which keeps their order. They are atomic element by element: those of two
// processes must not have a part of an element in common.
//
// Pure data: nothing here runs.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ids.hpp"
#include "core/list.hpp"
#include "native/memory_model/clocks.hpp"
#include "programs/mpi/datatypes.hpp"

namespace mazurka::mpi {

enum class Touch : std::uint8_t { read, write, update };

/// From one address to another.
struct Piece {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  friend bool operator==(const Piece&, const Piece&) = default;
};

struct WindowAccess {
  std::uint64_t id = 0;  // 0: of the program itself, a load or a store
  ProcessId process = no_process;
  std::int32_t rank = -1;  // of MPI_COMM_WORLD, that made it
  Touch touch = Touch::read;
  bool pending = false;
  bool left = false;         // its rank has ended the epoch, and the target has not
  std::uint32_t tick = 0;    // of its process, when it was complete
  std::uint32_t window = 0;  // number in World::windows
  int target = 0;            // rank of the window
  std::uint64_t op = 0;      // of an update
  BasicType type = 0;
  std::uint32_t grain = 1;  // of an update: elements of a piece lie so far apart
  std::vector<Piece> pieces;
  const char* call = "";
  std::vector<std::uint64_t> stack;  // while a report is made
  friend bool operator==(const WindowAccess&, const WindowAccess&) = default;
};

/// Whether there is a byte that both have.
[[nodiscard]] bool overlap(const std::vector<Piece>& one, const std::vector<Piece>& other);

class WindowLog {
 public:
  using Clock = native::VectorClock;

  /// One that is in conflict with this access, which begins now and knows this much; or null.
  [[nodiscard]] const WindowAccess* conflict(const WindowAccess& fresh, const Clock& known) const;
  /// Adds it; returns its id.
  std::uint64_t add(WindowAccess fresh);
  /// The same of a load or store: a row of them is one access.
  void add_plain(const WindowAccess& fresh);

  /// The operation is complete, since this tick of its process.
  void complete(std::uint64_t id, std::uint32_t tick);
  /// ... those of a rank to a target in a window.
  void complete(std::int32_t rank, std::uint32_t window, int target, std::uint32_t tick);

  /// The rank has ended its epoch: what it has done is complete when the target says so.
  void leave(std::int32_t rank, std::uint32_t window);
  /// What others have done to the rank's part is complete, as the rank's own process knows: since
  /// this tick of it.
  void hand_over(std::int32_t from, std::uint32_t window, int target, ProcessId process,
                 std::uint32_t tick);
  /// One of the rank's whose epoch is not ended; null: there is none.
  [[nodiscard]] const WindowAccess* pending(std::int32_t rank, std::uint32_t window) const;

  /// Forgets what is complete and known to all; `everybody`: what each process knows.
  void forget(const std::vector<const Clock*>& everybody);
  [[nodiscard]] std::size_t size() const { return remote_.size() + plain_.size(); }

  friend bool operator==(const WindowLog&, const WindowLog&) = default;

 private:
  List<WindowAccess> remote_;
  List<WindowAccess> plain_;
  std::uint64_t last_ = 0;
};

}  // namespace mazurka::mpi
