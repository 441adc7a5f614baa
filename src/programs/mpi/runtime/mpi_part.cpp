#include "programs/mpi/runtime/mpi_part.hpp"

#include "programs/threads/runtime/machine/call_site.hpp"
#include "programs/threads/runtime/recorder.hpp"

namespace mazurka::mpi {

const void* MpiPart::threads_caller() { return mazurka_caller; }

std::vector<std::uint64_t> MpiPart::stack_if_recording() const {
  return recording() ? threads::capture_stack() : std::vector<std::uint64_t>();
}

std::string rank_words(int rank) {
  return rank == any_source ? "any rank" : "rank " + std::to_string(rank);
}

std::string tag_words(int tag) {
  return tag == any_tag ? ", any tag" : ", tag " + std::to_string(tag);
}

}  // namespace mazurka::mpi
