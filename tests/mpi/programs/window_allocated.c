// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=memory_error
//
// The memory of a window goes with it.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int* x;
  MPI_Win win;
  MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, WORLD, &x, &win);
  x[0] = -1;
  MPI_Win_fence(0, win);
  MPI_Put(&rank, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  int got = x[0];
  MPI_Win_free(&win);
  assert(EITHER(x[0], got) == 1 - rank);
  return finish();
}
