// mazurka: ranks=3 verdict=verified executions=2
//
// All lock all, and put where nobody else does.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[3] = {0, 0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  MPI_Win_lock_all(0, win);
  for (int to = 0; to < size; ++to) MPI_Put(&rank, 1, MPI_INT, to, rank, 1, MPI_INT, win);
  MPI_Win_flush_all(win);
  MPI_Barrier(WORLD);
  for (int from = 0; from < size; ++from) assert(x[from] == from);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  return finish();
}
