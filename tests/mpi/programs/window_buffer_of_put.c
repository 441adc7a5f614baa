// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=data_race at=store
//
// The buffer of a put is changed before the put is complete.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  int mine = 1;
  MPI_Win_fence(0, win);
  if (rank == 1) MPI_Put(&mine, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  if (EITHER(0, 1)) MPI_Win_fence(0, win);
  mine = 2;  // at: store
  if (EITHER(1, 0)) MPI_Win_fence(0, win);
  assert(mine == 2 && (rank == 1 || x[0] == 1));
  MPI_Win_free(&win);
  return finish();
}
