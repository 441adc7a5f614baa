// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=free
//
// A lock is never given back.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  MPI_Win win;
  MPI_Win_create(&x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  if (EITHER(0, 1)) MPI_Win_unlock(0, win);
  MPI_Win_free(&win);  // at: free
  return finish();
}
