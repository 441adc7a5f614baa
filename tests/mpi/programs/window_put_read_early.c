// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=data_race at=read
//
// What was put is read before the fence that ends the epoch.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  int one = 1;
  MPI_Win_fence(0, win);
  if (rank == 0) MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
  if (EITHER(0, 1)) MPI_Win_fence(0, win);
  int seen = x[0];  // at: read
  if (EITHER(1, 0)) MPI_Win_fence(0, win);
  assert(EITHER(seen >= 0, seen == rank));
  MPI_Win_free(&win);
  return finish();
}
