// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=deadlock|misuse at=free
//
// One rank leaves out a fence.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  MPI_Win_fence(0, win);
  if (EITHER(rank == 0, 1)) MPI_Win_fence(0, win);
  MPI_Win_free(&win);  // at: free
  return finish();
}
