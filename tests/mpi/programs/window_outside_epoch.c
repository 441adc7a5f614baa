// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=put
//
// A put before the first fence.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  if (EITHER(0, 1)) MPI_Win_fence(0, win);
  if (rank == 0) MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, win);  // at: put
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  return finish();
}
