// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=data_race at=load
//
// The buffer of a get is read before the get is complete.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  int mine = 0;
  x[0] = rank;
  MPI_Win_fence(0, win);
  MPI_Get(&mine, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win);
  if (EITHER(0, 1)) MPI_Win_fence(0, win);
  int seen = mine;  // at: load
  if (EITHER(1, 0)) MPI_Win_fence(0, win);
  assert(seen == 1 - rank);
  MPI_Win_free(&win);
  return finish();
}
