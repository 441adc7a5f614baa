// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=deadlock at=lock
//
// Two ranks lock two windows in different orders. The flushes make sure that both locks are there
// before the first one is given back.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  int y = 0;
  MPI_Win one;
  MPI_Win two;
  MPI_Win_create(&x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &one);
  MPI_Win_create(&y, sizeof y, sizeof(int), MPI_INFO_NULL, WORLD, &two);
  int swap = EITHER(rank, 0);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, swap ? two : one);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, swap ? one : two);  // at: lock
  MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, one);
  MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, two);
  MPI_Win_flush(0, one);
  MPI_Win_flush(0, two);
  MPI_Win_unlock(0, one);
  MPI_Win_unlock(0, two);
  MPI_Win_free(&two);
  MPI_Win_free(&one);
  return finish();
}
