// mazurka: ranks=3 verdict=verified executions=4
// broken: verdict=finding finding=assertion
//
// Of two who compare and swap, one succeeds.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  int before = 7;
  int none = 0;
  MPI_Win_lock_all(0, win);
  if (rank > 0) MPI_Compare_and_swap(&rank, &none, &before, MPI_INT, 0, 0, win);
  MPI_Win_unlock_all(win);
  MPI_Barrier(WORLD);
  if (rank == 0) assert(x[0] == 1 || EITHER(0, x[0] == 2));
  if (rank > 0) assert(before == 0 || before == 3 - rank);
  MPI_Win_free(&win);
  return finish();
}
