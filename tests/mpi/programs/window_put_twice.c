// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=data_race at=put
//
// One rank puts to the same place twice in one epoch: which comes first is open.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  int two = 2;
  MPI_Win_fence(0, win);
  if (rank == 1) MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  if (EITHER(0, 1)) MPI_Win_fence(0, win);
  if (rank == 1) MPI_Put(&two, 1, MPI_INT, 0, 0, 1, MPI_INT, win);  // at: put
  MPI_Win_fence(0, win);
  if (rank == 0) assert(x[0] == 2);
  MPI_Win_free(&win);
  return finish();
}
