// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=accumulate
//
// No operation.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  MPI_Win_fence(0, win);
  MPI_Accumulate(&rank, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, EITHER(MPI_OP_NULL, MPI_MAX),
                 win);  // at: accumulate
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  return finish();
}
