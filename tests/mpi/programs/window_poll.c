// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=livelock|deadlock
//
// A rank waits in a loop until another has left a value in a window.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    int one = 1;
    int seven = 7;
    MPI_Put(&seven, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    if (EITHER(0, 1)) MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
  } else {
    int seen = 0;
    while (seen == 0) {
      MPI_Fetch_and_op(NULL, &seen, MPI_INT, 0, 0, MPI_NO_OP, win);
      MPI_Win_flush(0, win);
    }
    MPI_Get(&seen, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    assert(seen == 7);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  return finish();
}
