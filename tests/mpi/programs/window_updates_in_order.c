// mazurka: ranks=2 verdict=verified
//
// Updates of one place by one rank keep their order.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  int one = 1;
  int ten = 10;
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    MPI_Accumulate(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Accumulate(&ten, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
  } else {
    int seen[2];
    for (int i = 0; i < 2; ++i) {
      MPI_Fetch_and_op(NULL, &seen[i], MPI_INT, 1, 0, MPI_NO_OP, win);
      MPI_Win_flush(1, win);
    }
    assert(seen[0] <= seen[1]);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  return finish();
}
