// mazurka: ranks=4 verdict=verified executions=2
//
// Those who share a lock and only read need no order.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  x[0] = rank;
  MPI_Barrier(WORLD);
  int got = 0;
  MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
  MPI_Get(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
  MPI_Win_unlock(1, win);
  assert(got == 1);
  MPI_Win_free(&win);
  return finish();
}
