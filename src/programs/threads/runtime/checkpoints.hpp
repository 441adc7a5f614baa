// Checkpoints: the program as it was after some of the events that executions have in common.
//
// An execution that shares its first events with the one before would perform them only to get to
// where it differs. Instead it can begin at a checkpoint: the state of the execution, the run, and
// the program's memory, put back as they were. Checkpoints are taken on the way to where an
// execution leaves the one before, between two steps, when no process runs (Scheduler::pause), and
// hold for all executions that come along there. How often, and whether to go on from one, is a
// matter of what that costs (checkpoint_costs.hpp).
//
// There is none where something was changed that is not memory, or where the C library remembers
// something of its own: that could not be put back. Nor after something was learned of the program
// that decides what its steps are.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "host/protocol.hpp"
#include "programs/threads/runtime/checkpoint_costs.hpp"
#include "programs/threads/runtime/machine/heaps.hpp"
#include "programs/threads/runtime/machine/memory_image.hpp"
#include "programs/threads/runtime/machine/snapshot.hpp"
#include "programs/threads/runtime/machine/stacks.hpp"
#include "programs/threads/runtime/part.hpp"

namespace mazurka::threads {
using namespace host;

/// What makes up a checkpoint.
struct Checkpoint {
  Standing standing;
  ExecutionState state;
  MemoryImage memory;
  Heaps::Extents heaps;
};

class Checkpoints : public Part {
 public:
  struct Memory {
    const Snapshot& snapshot;
    const ThreadLocals& thread_locals;
    const Stacks& stacks;
  };
  Checkpoints(Scheduler& scheduler, Memory memory, const SpinRecognition& spins)
      : Part(scheduler), memory_(memory), spins_(spins) {}

  /// An execution begins. True: it is to go on from a checkpoint, which has been put back.
  bool begin(Run& run);
  /// It has begun at the beginning.
  void begun() { costs_.beginning.add(static_cast<double>(lap())); }
  /// After how many events the program is to pause next.
  [[nodiscard]] std::size_t next_pause() const {
    return places_.empty() ? no_pause : places_.back();
  }
  /// It does.
  void pause();

 private:
  /// What must be as it was when a checkpoint was taken.
  struct Terms {
    const Run* run = nullptr;
    bool records_states = false;
    bool watches_reads = false;
    std::size_t escaped = 0;
    std::size_t exposed = 0;
    std::size_t crowded = 0;
    std::size_t ordered = 0;
    bool latches_by_library = false;
    std::uint64_t deepened = 0;
    std::size_t sites = 0;  // of waiting loops
    std::size_t pages = 0;  // of static data that were written
    friend bool operator==(const Terms&, const Terms&) = default;
  };
  [[nodiscard]] Terms terms(const Run& run) const;
  [[nodiscard]] bool possible(const Run& run) const;
  void drop_after(std::size_t events);
  void plan(std::size_t begun, std::size_t left);
  [[nodiscard]] bool copy(Checkpoint& checkpoint);
  void put_back(const Checkpoint& checkpoint);
  void take();
  void make_room();
  void compare(const Checkpoint& known);
  std::uint64_t lap();
  [[nodiscard]] CheckpointMode mode() const { return request_.checkpoints; }

  Memory memory_;
  const SpinRecognition& spins_;
  CheckpointCosts costs_;
  Terms terms_;
  std::vector<std::unique_ptr<Checkpoint>> taken_;  // in the order of their events
  std::vector<std::unique_ptr<Checkpoint>> spare_;
  std::vector<std::size_t> places_;  // of the pauses to come, the next one last
  std::size_t from_ = 0;             // the latest lap began after so many events
  std::size_t bytes_ = 0;
  std::uint64_t lap_ = 0;
  bool too_large_ = false;
};

}  // namespace mazurka::threads
