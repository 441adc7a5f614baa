// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=put
//
// Another rank is locked than the one that is reached into.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, EITHER(0, 1), 0, win);
  if (rank == 0) MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, win);  // at: put
  MPI_Win_unlock(EITHER(0, 1), win);
  MPI_Win_free(&win);
  return finish();
}
