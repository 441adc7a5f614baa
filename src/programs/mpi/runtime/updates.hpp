// Atomic updates of memory in windows: MPI_Accumulate and its relatives.
//
// When such an update happens can be noticed: another one finds the value before or after it. And
// it need not happen when it is asked for. So it is a step of its own, of a process without a
// stack, which may come at any moment until the epoch ends or the rank flushes. Two updates of one
// place by one rank keep their order. Transfers that are not atomic (MPI_Put, MPI_Get) need no
// step: a program in which their moment could be noticed has conflicting accesses, which is a
// finding (window_log.hpp).
//
// Who sees what an update has left knows what its rank knew when it asked for it: programs build
// locks out of that.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "programs/mpi/runtime/mpi_part.hpp"

namespace mazurka::mpi {

class EpochWaits;
class Transfers;

class Updates : public MpiPart {
 public:
  Updates(const Context& context, Transfers& transfers, EpochWaits& waits,
          threads::SpinRecognition& spins)
      : MpiPart(context), transfers_(transfers), waits_(waits), spins_(spins) {}

  /// Places of a rank's part of a window, as objects: several places may be one object.
  static constexpr std::uint64_t objects_of_part = 32;
  [[nodiscard]] ObjectId cell(std::uint32_t window, int target, std::uint64_t place) {
    return object(Kind::cell, world_.windows[window].key, static_cast<std::uint64_t>(target),
                  place);
  }
  /// Those that the pieces lie in.
  [[nodiscard]] std::vector<ObjectId> cells_of(std::uint32_t window, int target,
                                               const std::vector<Piece>& pieces);
  /// The current process asks for the update of this number, which is described already.
  void issue(std::uint32_t number);
  /// It is the agent's turn.
  void perform(ProcessId agent);
  /// The current rank knows that they were performed: their agents are free for others.
  void settle(std::uint32_t window, int target);

 private:
  void announce_those_that_can();
  [[nodiscard]] bool must_follow(const Update& later, const Update& earlier) const;
  /// Whether it does.
  bool change_memory(Update& update);
  [[nodiscard]] bool may_only_look(const Update& update) const;
  void note_look(const Update& update);
  void record_update(const Update& update);

  Transfers& transfers_;
  EpochWaits& waits_;
  threads::SpinRecognition& spins_;
};

}  // namespace mazurka::mpi
