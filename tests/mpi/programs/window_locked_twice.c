// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=again
//
// A rank is locked that is locked already.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  MPI_Win_lock(MPI_LOCK_SHARED, EITHER(0, 1), 0, win);  // at: again
  MPI_Win_unlock(0, win);
  MPI_Win_unlock(1, win);
  MPI_Win_free(&win);
  return finish();
}
