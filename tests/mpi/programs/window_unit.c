// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=put
//
// A window with a unit of one byte: displacements are in bytes.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[4] = {0, 0, 0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, EITHER(8, 1), MPI_INFO_NULL, WORLD, &win);
  MPI_Win_fence(0, win);
  MPI_Put(&rank, 1, MPI_INT, 1 - rank, 3 * sizeof(int), 1, MPI_INT, win);  // at: put
  MPI_Win_fence(0, win);
  assert(x[3] == 1 - rank);
  MPI_Win_free(&win);
  return finish();
}
