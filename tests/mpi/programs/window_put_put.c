// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=data_race at=put
//
// Two ranks put to the same place in one epoch.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  MPI_Win_fence(0, win);
  if (rank > 0) {
    MPI_Put(&rank, 1, MPI_INT, 0, EITHER(0, rank - 1), 1, MPI_INT, win);  // at: put
  }
  MPI_Win_fence(0, win);
  if (rank == 0) assert(EITHER(1, x[0] == 1 && x[1] == 2));
  MPI_Win_free(&win);
  return finish();
}
