#include "programs/mpi/runtime/mpi_part.hpp"

#include "programs/mpi/runtime/handles.hpp"
#include "programs/threads/runtime/recorder.hpp"

namespace mazurka::mpi {

std::uint64_t MpiPart::error_handler_of(CommunicatorKey key) const {
  for (const CommunicatorHandle& one : own().communicators) {
    if (world_.communicators[one.communicator].key == key) return one.handler;
  }
  return 0;
}

bool MpiPart::returns_to_program(std::uint64_t error_handler) {
  return error_handler == errors_return || is_handle(error_handler, HandleKind::error_handler);
}

std::vector<std::uint64_t> MpiPart::stack_if_recording() const {
  return recording() ? threads::capture_stack() : std::vector<std::uint64_t>();
}

// What MPI would allow to happen only after this, and here has happened already: the lock is
// granted, or the others have called MPI_Win_post.
void MpiPart::meet_others(std::uint32_t window, int target) {
  for (const WindowHandle& one : own().windows) {
    if (one.freed) continue;
    if (one.started && one.started_early) {
      learned_.grounds.unexplored = "rank " + std::to_string(self().rank) +
                                    " meets other ranks between MPI_Win_start, which need not "
                                    "wait, and MPI_Win_complete";
    }
    Window& known = world_.windows[one.window];
    const int own_rank = rank_in(communicator(known.key), self().rank);
    for (std::size_t place = 0; place < one.held.size(); ++place) {
      if (one.held[place] == Held::nothing) continue;
      const bool is_it = target < 0 || static_cast<int>(place) == target;
      if (one.window == window && is_it) continue;
      for (Hold& hold : known.locks[place].holds) {
        if (hold.rank == own_rank && hold.given_back == 0 && !hold.certain) hold.met_others = true;
      }
    }
  }
}

std::string rank_words(int rank) {
  return rank == any_source ? "any rank" : "rank " + std::to_string(rank);
}

std::string tag_words(int tag) {
  return tag == any_tag ? ", any tag" : ", tag " + std::to_string(tag);
}

}  // namespace mazurka::mpi
