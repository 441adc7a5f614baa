// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=data_race
//
// One rank puts what another gets.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  int got = 0;
  MPI_Win_fence(0, win);
  if (rank == 1) MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  if (EITHER(0, 1)) MPI_Win_fence(0, win);
  if (rank == 2) MPI_Get(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  if (rank == 2) assert(got == 1 || EITHER(1, 0));
  MPI_Win_free(&win);
  return finish();
}
