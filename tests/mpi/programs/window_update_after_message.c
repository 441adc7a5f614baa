// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=assertion
//
// An update may happen after a message that was sent later.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  int one = 1;
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    MPI_Accumulate(&one, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
    if (EITHER(0, 1)) MPI_Win_flush(0, win);
    MPI_Send(NULL, 0, MPI_INT, 1, 0, WORLD);
  } else {
    int seen = 0;
    MPI_Recv(NULL, 0, MPI_INT, 0, 0, WORLD, IGNORE);
    MPI_Fetch_and_op(NULL, &seen, MPI_INT, 0, 0, MPI_NO_OP, win);
    MPI_Win_flush(0, win);
    assert(seen == 1);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  return finish();
}
