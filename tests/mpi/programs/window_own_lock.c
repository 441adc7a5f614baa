// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=data_race
//
// A lock made of atomic updates: it orders what it guards only if it is released after a flush.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  const int none = 0;
  const int taken = 1;
  MPI_Win_lock_all(0, win);
  int before = 1;
  MPI_Compare_and_swap(&taken, &none, &before, MPI_INT, 0, 0, win);
  MPI_Win_flush(0, win);
  if (before == 0) {
    MPI_Put(&rank, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
    if (EITHER(0, 1)) MPI_Win_flush(0, win);
    MPI_Accumulate(&none, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  return finish();
}
