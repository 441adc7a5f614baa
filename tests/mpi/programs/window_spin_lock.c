// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=data_race
//
// A lock made of atomic updates, which is tried until it is there.
#include "pair.h"

static const int none = 0;
static const int taken = 1;

static void lock(MPI_Win win) {
  int before = 1;
  while (before != 0) {
    MPI_Compare_and_swap(&taken, &none, &before, MPI_INT, 0, 0, win);
    MPI_Win_flush(0, win);
  }
}

static void unlock(MPI_Win win) {
  MPI_Accumulate(&none, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
  MPI_Win_flush(0, win);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  MPI_Win_lock_all(0, win);
  if (rank > 0) {
    int value = 0;
    if (EITHER(rank == 1, 1)) lock(win);
    MPI_Get(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    ++value;
    MPI_Put(&value, 1, MPI_INT, 0, 1, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    if (EITHER(rank == 1, 1)) unlock(win);
  }
  MPI_Barrier(WORLD);
  if (rank == 0) assert(EITHER(1, x[1] == 2));
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  return finish();
}
