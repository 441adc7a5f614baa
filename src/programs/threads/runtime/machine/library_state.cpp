#include "programs/threads/runtime/machine/library_state.hpp"

#include <array>

namespace mazurka::threads {

namespace {

constexpr std::size_t room_for_ranks = 128;  // as the command line allows

struct States {
  std::int32_t whose_options = -1;
  std::array<LibraryState, room_for_ranks> of_ranks;
};
States states;

}  // namespace

std::span<std::byte> memory_of_library_states(std::size_t ranks) {
  const std::size_t unused = (room_for_ranks - ranks) * sizeof(LibraryState);
  return std::as_writable_bytes(std::span(&states, 1)).first(sizeof states - unused);
}

LibraryState& library_state(std::int32_t rank) {
  return states.of_ranks[static_cast<std::size_t>(rank)];
}

std::int32_t& rank_of_options() { return states.whose_options; }

}  // namespace mazurka::threads
