// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=livelock|deadlock
//
// A rank takes a lock again and again until another has left a value there.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  if (rank == 0) {
    int one = EITHER(0, 1);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Put(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
  } else {
    int seen = 0;
    while (seen == 0) {
      MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
      MPI_Get(&seen, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
      MPI_Win_unlock(0, win);
    }
    assert(seen == 1);
  }
  MPI_Win_free(&win);
  return finish();
}
