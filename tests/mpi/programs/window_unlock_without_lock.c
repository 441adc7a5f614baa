// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=unlock
//
// A lock is given back that the rank does not have.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  if (EITHER(0, 1)) MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
  MPI_Win_unlock(1, win);  // at: unlock
  MPI_Win_free(&win);
  return finish();
}
