// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=data_race
//
// The target reads its own memory without a lock.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  if (rank == 1) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
  } else {
    if (EITHER(0, 1)) MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
    assert(x[0] == 0 || x[0] == 1);
    if (EITHER(0, 1)) MPI_Win_unlock(0, win);
  }
  MPI_Win_free(&win);
  return finish();
}
