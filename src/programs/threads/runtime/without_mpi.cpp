// In the place of MPI's part of the runtime.
#include "programs/threads/runtime/ranks.hpp"

namespace mazurka::threads {

std::unique_ptr<Ranks> make_ranks(Scheduler& /*scheduler*/, Accesses& /*accesses*/,
                                  std::uint8_t /*first_kind*/, SpinRecognition& /*spins*/) {
  return nullptr;
}

}  // namespace mazurka::threads
