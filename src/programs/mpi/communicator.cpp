#include "programs/mpi/communicator.hpp"

#include <algorithm>
#include <numeric>

namespace mazurka::mpi {

// --- groups --------------------------------------------------------------------------------------

int Communicator::place_of(int world_rank) const {
  const auto found = std::find(members.begin(), members.end(), world_rank);
  return found == members.end() ? -1 : static_cast<int>(found - members.begin());
}

int Communicator::rank_at(int place) const {
  const auto first = static_cast<int>(first_group);
  return place >= first ? place - first : place;
}

int Communicator::place_of_peer(int place, int rank) const {
  const auto first = static_cast<int>(first_group);
  return rank >= 0 && place < first ? first + rank : rank;
}

std::vector<int> Communicator::group_of(int place) const {
  const bool is_first = place < static_cast<int>(first_group);
  const std::size_t begin = is_first ? 0 : first_group;
  const std::size_t end = is_first ? first_group : members.size();
  std::vector<int> places(end - begin);
  std::iota(places.begin(), places.end(), static_cast<int>(begin));
  return places;
}

std::vector<int> Communicator::partners_of(int place) const {
  if (!is_between()) return group_of(place);
  return group_of(place < static_cast<int>(first_group) ? static_cast<int>(first_group) : 0);
}

std::vector<int> Communicator::members_at(const std::vector<int>& places) const {
  std::vector<int> there;
  there.reserve(places.size());
  for (const int place : places) there.push_back(members[static_cast<std::size_t>(place)]);
  return there;
}

// --- grids ---------------------------------------------------------------------------------------

std::vector<int> coordinates_of(const Communicator& grid, int rank) {
  std::vector<int> coordinates(grid.dimensions.size());
  for (std::size_t at = grid.dimensions.size(); at-- > 0;) {
    coordinates[at] = rank % grid.dimensions[at];
    rank /= grid.dimensions[at];
  }
  return coordinates;
}

int rank_at_coordinates(const Communicator& grid, std::vector<int> coordinates) {
  int rank = 0;
  for (std::size_t at = 0; at < grid.dimensions.size(); ++at) {
    const int size = grid.dimensions[at];
    if (grid.periods[at] != 0) coordinates[at] = (coordinates[at] % size + size) % size;
    if (coordinates[at] < 0 || coordinates[at] >= size) return outside;
    rank = rank * size + coordinates[at];
  }
  return rank;
}

// --- neighbours ----------------------------------------------------------------------------------

namespace {

// Of each dimension the one before, and the one behind.
std::vector<int> neighbours_in_grid(const Communicator& grid, int rank) {
  std::vector<int> found;
  for (std::size_t at = 0; at < grid.dimensions.size(); ++at) {
    for (const int step : {-1, 1}) {
      std::vector<int> there = coordinates_of(grid, rank);
      there[at] += step;
      found.push_back(rank_at_coordinates(grid, std::move(there)));
    }
  }
  return found;
}

// The place of the n-th (from 0) that is equal; -1: there are not so many.
int place_of_nth(const std::vector<int>& all, int value, std::ptrdiff_t nth) {
  for (std::size_t place = 0; place < all.size(); ++place) {
    if (all[place] == value && nth-- == 0) return static_cast<int>(place);
  }
  return -1;
}

}  // namespace

Neighbours neighbours_of(const Communicator& arranged, int rank) {
  if (arranged.arrangement != Arrangement::grid) {
    return arranged.graph[static_cast<std::size_t>(rank)];
  }
  Neighbours found;
  found.sources = neighbours_in_grid(arranged, rank);
  found.destinations = found.sources;
  return found;
}

Edge edge_to(const Communicator& arranged, int rank, int nth) {
  const std::vector<int> sources = neighbours_of(arranged, rank).sources;
  const int source = sources[static_cast<std::size_t>(nth)];
  if (source == outside) return {};
  // Who is before me in a dimension has me behind it, even if there are only the two of us.
  if (arranged.arrangement == Arrangement::grid) return {source, nth ^ 1};
  const auto before = std::count(sources.begin(), sources.begin() + nth, source);
  return {source, place_of_nth(neighbours_of(arranged, source).destinations, rank, before)};
}

}  // namespace mazurka::mpi
