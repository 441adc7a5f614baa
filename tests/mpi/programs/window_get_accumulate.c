// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=assertion at=sum
//
// MPI_Get_accumulate has more arguments than go into registers; a loop of it waits for a value.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[3] = {10, 20, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    int more[2] = {1, 2};
    int old[2] = {0, 0};
    MPI_Get_accumulate(more, 2, MPI_INT, old, 2, MPI_INT, 1, 0, 2, MPI_INT, MPI_SUM, win);
    MPI_Win_flush(1, win);
    assert(old[0] == 10 && old[1] == EITHER(22, 20));  // at: sum
    int ready = 1;
    MPI_Accumulate(&ready, 1, MPI_INT, 1, 2, 1, MPI_INT, MPI_REPLACE, win);
  } else {
    int seen = 0;
    while (seen == 0) {
      MPI_Get_accumulate(NULL, 0, MPI_INT, &seen, 1, MPI_INT, 1, 2, 1, MPI_INT, MPI_NO_OP, win);
      MPI_Win_flush(1, win);
    }
    assert(x[0] == 11 && x[1] == 22);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  return finish();
}
