// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=deadlock at=lock
//
// Two ranks lock two windows in different orders.
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
  MPI_Win_unlock(0, one);
  MPI_Win_unlock(0, two);
  MPI_Win_free(&two);
  MPI_Win_free(&one);
  return finish();
}
