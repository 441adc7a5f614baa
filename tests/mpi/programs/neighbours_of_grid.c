// mazurka: ranks=4 verdict=verified executions=4 options="--collectives both"
// broken: verdict=finding finding=assertion
//
// In a grid that is not periodic those at the border have nobody beyond it.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  const int sizes[2] = {2, 2};
  const int periodic[2] = {0, EITHER(1, 0)};
  int around[4] = {-1, -1, -1, -1};
  MPI_Comm grid;
  MPI_Cart_create(WORLD, 2, sizes, periodic, 0, &grid);
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, around, 1, MPI_INT, grid);
  for (int dimension = 0; dimension < 2; ++dimension) {
    int before;
    int behind;
    MPI_Cart_shift(grid, dimension, 1, &before, &behind);
    assert(around[2 * dimension] == (before == MPI_PROC_NULL ? -1 : before));
    assert(around[2 * dimension + 1] == (behind == MPI_PROC_NULL ? -1 : behind));
  }
  if (rank == 0) assert(around[2] == -1 && around[3] == 1);
  MPI_Comm_free(&grid);
  return finish();
}
