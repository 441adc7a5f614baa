// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=data_race at=accumulate
//
// Updates are atomic element by element: two must not have a part of one in common.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[4] = {0, 0, 0, 0};
  int ones[2] = {1, 1};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, 1, MPI_INFO_NULL, WORLD, &win);
  MPI_Win_fence(0, win);
  if (rank > 0) {
    const MPI_Aint place = (rank - 1) * EITHER(2, 4);
    MPI_Accumulate(ones, 2, MPI_INT, 0, place, 2, MPI_INT, MPI_SUM, win);  // at: accumulate
  }
  MPI_Win_fence(0, win);
  if (rank == 0) assert(EITHER(1, x[0] == 1 && x[1] == 2 && x[2] == 1));
  MPI_Win_fence(0, win);
  // Who only looks is in nobody's way.
  int seen = 0;
  MPI_Get_accumulate(NULL, 0, MPI_INT, &seen, 1, MPI_INT, 0, rank, 1, MPI_INT, MPI_NO_OP, win);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  return finish();
}
