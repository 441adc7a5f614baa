// What programs of several ranks (MPI) add to the engine. The runtime of other programs has nothing
// in its place: there are two libraries, one with and one without (CMakeLists.txt).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "programs/mpi/world.hpp"

namespace mazurka::threads {

class Accesses;
class Scheduler;
class SpinRecognition;

class Ranks {
 public:
  virtual ~Ranks() = default;

  /// Everything that all ranks start with.
  [[nodiscard]] virtual mpi::World make_world(std::size_t ranks) const = 0;
  /// It is the turn of a process without a stack.
  virtual void perform(ProcessId agent) = 0;
  /// The rank's main returns, or the rank exits.
  virtual void end_of_rank() = 0;
  /// After an execution that all ranks lived to see the end of.
  virtual void report_leftovers() = 0;

  /// The function of MPI that the current process is in; null: none.
  [[nodiscard]] virtual const char* call_under_way() const = 0;
  /// Of a process that waits: which messages it could nearly have had; and for whom it waits.
  [[nodiscard]] virtual std::string near_misses(ProcessId process) const = 0;
  [[nodiscard]] virtual ProcessId waited_for(ProcessId process) const = 0;
};

/// Null in the library without.
[[nodiscard]] std::unique_ptr<Ranks> make_ranks(Scheduler& scheduler, Accesses& accesses,
                                                std::uint8_t first_kind, SpinRecognition& spins);

}  // namespace mazurka::threads
