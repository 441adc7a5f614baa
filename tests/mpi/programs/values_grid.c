// mazurka: ranks=4 verdict=verified
//
// A grid of 2 by 2, around in one direction.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Comm grid;
  int sizes[2] = {0, 0};
  const int periodic[2] = {1, 0};
  MPI_Dims_create(size, 2, sizes);
  assert(sizes[0] == 2 && sizes[1] == 2);
  MPI_Cart_create(WORLD, 2, sizes, periodic, 0, &grid);
  int place[2] = {-1, -1};
  MPI_Cart_coords(grid, rank, 2, place);
  assert(place[0] == rank / 2 && place[1] == rank % 2);
  int found = -1;
  MPI_Cart_rank(grid, place, &found);
  assert(found == rank);
  int before = 0;
  int after = 0;
  MPI_Cart_shift(grid, 0, 1, &before, &after);
  assert(before == (rank + 2) % 4 && after == (rank + 2) % 4);
  MPI_Cart_shift(grid, 1, 1, &before, &after);
  assert(before == (place[1] == 1 ? rank - 1 : MPI_PROC_NULL));
  assert(after == (place[1] == 0 ? rank + 1 : MPI_PROC_NULL));
  int x = -1;
  MPI_Sendrecv(&rank, 1, MPI_INT, after, 0, &x, 1, MPI_INT, before, 0, grid, IGNORE);
  assert(x == (place[1] == 1 ? rank - 1 : -1));
  MPI_Comm_free(&grid);
  return finish();
}
