// Grids of ranks.
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "programs/mpi/runtime/handles.hpp"
#include "programs/mpi/runtime/hooks/mpi_hook.hpp"

namespace {

using mazurka::mpi::Arrangement;
using mazurka::mpi::Check;
using mazurka::mpi::Collective;
using mazurka::mpi::Communicator;
using mazurka::mpi::coordinates_of;
using mazurka::mpi::key_of;
using mazurka::mpi::Mpi;
using mazurka::mpi::number;
using mazurka::mpi::rank_at_coordinates;
using mazurka::threads::EngineScope;

Check checked_grid(Mpi& mpi, const char* call, MPI_Comm comm) {
  Check check = mpi.checks.check(call, number(comm));
  check.communicator();
  if (check.failed() == 0) {
    check.that(mpi.communicators.of(number(comm)).arrangement == Arrangement::grid,
               MPI_ERR_TOPOLOGY, "the communicator is no grid");
  }
  return check;
}

}  // namespace

MAZURKA_MPI_HOOK(int, Dims_create, int ranks, int dimensions, int sizes[]) {
  MAZURKA_ENTER(Dims_create);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(MPI_COMM_WORLD));
  int left = ranks;
  int open = 0;
  check.that(ranks > 0, MPI_ERR_ARG, "there must be a rank at least");
  for (int at = 0; at < dimensions && check.failed() == 0; ++at) {
    check.that(sizes[at] >= 0, MPI_ERR_DIMS, "a size is negative");
    if (sizes[at] == 0) {
      ++open;
    } else if (check.failed() == 0) {
      check.that(left % sizes[at] == 0, MPI_ERR_DIMS, "the ranks can not be divided like this");
      left /= sizes[at];
    }
  }
  check.that(open > 0 || left == 1, MPI_ERR_DIMS, "the ranks can not be divided like this");
  if (check.failed() != 0) return check.failed();
  // As even as can be: the largest factors first, each to what is smallest so far.
  std::vector<int> found(static_cast<std::size_t>(open), 1);
  std::vector<int> factors;
  for (int factor = 2; left > 1; ++factor) {
    for (; left % factor == 0; left /= factor) factors.push_back(factor);
  }
  std::reverse(factors.begin(), factors.end());
  for (const int factor : factors) *std::min_element(found.begin(), found.end()) *= factor;
  std::sort(found.begin(), found.end(), std::greater<>());
  std::size_t next = 0;
  for (int at = 0; at < dimensions; ++at) {
    if (sizes[at] == 0) sizes[at] = found[next++];
  }
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Cart_create, MPI_Comm comm, int dimensions, const int sizes[],
                 const int periodic[], int, MPI_Comm* result) {
  MAZURKA_ENTER(Cart_create);
  const EngineScope scope;
  Check check = mpi.checks.check(call, number(comm));
  check.communicator().one_group().that(dimensions >= 0, MPI_ERR_DIMS,
                                        "the dimensions are negative");
  std::int64_t ranks = 1;
  for (int at = 0; at < dimensions && check.failed() == 0; ++at) {
    check.that(sizes[at] > 0, MPI_ERR_DIMS, "a size is not positive");
    ranks *= sizes[at];
  }
  if (check.failed() != 0) return check.failed();
  const auto available =
      static_cast<std::int64_t>(mpi.communicators.of(number(comm)).members.size());
  check.that(ranks <= available, MPI_ERR_DIMS,
             "the grid has " + std::to_string(ranks) + " places, and there are " +
                 std::to_string(available) + " ranks");
  if (check.failed() != 0) return check.failed();
  const Collective& made = mpi.communicators.construct(call, number(comm), {});
  *result = MPI_COMM_NULL;
  if (mpi.communicators.rank(number(comm)) >= ranks) return MPI_SUCCESS;
  Communicator grid;
  grid.arrangement = Arrangement::grid;
  const std::vector<int>& all = mpi.communicators.of(number(comm)).members;
  grid.members.assign(all.begin(), all.begin() + ranks);
  grid.dimensions.assign(sizes, sizes + dimensions);
  grid.periods.assign(periodic, periodic + dimensions);
  grid.key = key_of(made, 0);
  grid.name = "a grid of " + mpi.communicators.of(number(comm)).name;
  *result = reinterpret_cast<MPI_Comm>(mpi.communicators.add(std::move(grid)));
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Cart_sub, MPI_Comm comm, const int remaining[], MPI_Comm* result) {
  MAZURKA_ENTER(Cart_sub);
  const EngineScope scope;
  Check check = checked_grid(mpi, call, comm);
  if (check.failed() != 0) return check.failed();
  const Collective& made = mpi.communicators.construct(call, number(comm), {});
  const Communicator& whole = mpi.communicators.of(number(comm));
  const std::vector<int> own = coordinates_of(whole, mpi.communicators.rank(number(comm)));
  Communicator part;
  part.arrangement = Arrangement::grid;
  std::uint64_t which = 1;
  for (std::size_t at = 0; at < own.size(); ++at) {
    if (remaining[at] != 0) {
      part.dimensions.push_back(whole.dimensions[at]);
      part.periods.push_back(whole.periods[at]);
    } else {
      which = which * 4096 + static_cast<std::uint64_t>(own[at]) + 1;
    }
  }
  for (std::size_t rank = 0; rank < whole.members.size(); ++rank) {
    const std::vector<int> there = coordinates_of(whole, static_cast<int>(rank));
    bool same = true;
    for (std::size_t at = 0; at < own.size(); ++at) {
      same = same && (remaining[at] != 0 || there[at] == own[at]);
    }
    if (same) part.members.push_back(whole.members[rank]);
  }
  part.key = key_of(made, which);
  part.name = "a part of " + whole.name;
  *result = reinterpret_cast<MPI_Comm>(mpi.communicators.add(std::move(part)));
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Topo_test, MPI_Comm comm, int* result) {
  MAZURKA_ENTER(Topo_test);
  Check check = mpi.checks.check(call, number(comm));
  if (check.communicator().failed() != 0) return check.failed();
  constexpr std::array kinds{MPI_UNDEFINED, MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH};
  *result = kinds[static_cast<std::size_t>(mpi.communicators.of(number(comm)).arrangement)];
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Cartdim_get, MPI_Comm comm, int* dimensions) {
  MAZURKA_ENTER(Cartdim_get);
  Check check = checked_grid(mpi, call, comm);
  if (check.failed() != 0) return check.failed();
  *dimensions = static_cast<int>(mpi.communicators.of(number(comm)).dimensions.size());
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Cart_get, MPI_Comm comm, int max, int sizes[], int periodic[],
                 int coordinates[]) {
  MAZURKA_ENTER(Cart_get);
  const EngineScope scope;
  Check check = checked_grid(mpi, call, comm);
  if (check.failed() != 0) return check.failed();
  const Communicator& grid = mpi.communicators.of(number(comm));
  const std::vector<int> own = coordinates_of(grid, mpi.communicators.rank(number(comm)));
  for (std::size_t at = 0; at < own.size() && static_cast<int>(at) < max; ++at) {
    sizes[at] = grid.dimensions[at];
    periodic[at] = grid.periods[at];
    coordinates[at] = own[at];
  }
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Cart_rank, MPI_Comm comm, const int coordinates[], int* rank) {
  MAZURKA_ENTER(Cart_rank);
  const EngineScope scope;
  Check check = checked_grid(mpi, call, comm);
  if (check.failed() != 0) return check.failed();
  const Communicator& grid = mpi.communicators.of(number(comm));
  *rank = rank_at_coordinates(grid, {coordinates, coordinates + grid.dimensions.size()});
  check.that(*rank != MPI_PROC_NULL, MPI_ERR_ARG, "the coordinates are outside of the grid");
  return check.failed();
}
MAZURKA_MPI_HOOK(int, Cart_coords, MPI_Comm comm, int rank, int max, int coordinates[]) {
  MAZURKA_ENTER(Cart_coords);
  const EngineScope scope;
  Check check = checked_grid(mpi, call, comm);
  if (check.failed() == 0) {
    const auto size = static_cast<int>(mpi.communicators.of(number(comm)).members.size());
    check.that(rank >= 0 && rank < size, MPI_ERR_RANK, "there is no such rank");
  }
  if (check.failed() != 0) return check.failed();
  const std::vector<int> there = coordinates_of(mpi.communicators.of(number(comm)), rank);
  for (std::size_t at = 0; at < there.size() && static_cast<int>(at) < max; ++at) {
    coordinates[at] = there[at];
  }
  return MPI_SUCCESS;
}
MAZURKA_MPI_HOOK(int, Cart_shift, MPI_Comm comm, int direction, int displacement, int* source,
                 int* destination) {
  MAZURKA_ENTER(Cart_shift);
  const EngineScope scope;
  Check check = checked_grid(mpi, call, comm);
  if (check.failed() != 0) return check.failed();
  const Communicator& grid = mpi.communicators.of(number(comm));
  check.that(direction >= 0 && static_cast<std::size_t>(direction) < grid.dimensions.size(),
             MPI_ERR_ARG, "there is no such direction");
  if (check.failed() != 0) return check.failed();
  const auto moved = [&](int by) {
    std::vector<int> there = coordinates_of(grid, mpi.communicators.rank(number(comm)));
    there[static_cast<std::size_t>(direction)] += by;
    return rank_at_coordinates(grid, std::move(there));
  };
  *source = moved(-displacement);
  *destination = moved(displacement);
  return MPI_SUCCESS;
}
