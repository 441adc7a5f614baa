// mazurka: ranks=3 verdict=verified executions=4
// broken: verdict=finding finding=assertion
//
// Who has the lock last leaves its value: it may be either.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  if (rank > 0) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
  }
  MPI_Barrier(WORLD);
  if (rank == 0) assert(x[0] == 2 || EITHER(0, x[0] == 1));
  MPI_Win_free(&win);
  return finish();
}
