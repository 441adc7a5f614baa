// mazurka: ranks=2 verdict=verified executions=2
//
// The target reads what another rank gets: that is allowed.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  int got = 7;
  x[0] = 3;
  MPI_Win_fence(0, win);
  if (rank == 1) MPI_Get(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  int seen = x[0];
  MPI_Win_fence(0, win);
  assert(seen == 3 && (rank == 0 || got == 3));
  MPI_Win_free(&win);
  return finish();
}
