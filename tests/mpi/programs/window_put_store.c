// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=data_race
//
// The target stores where another rank puts.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  MPI_Win_fence(0, win);
  if (rank == 1) MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  if (rank == 0) x[EITHER(0, 1)] = 5;
  MPI_Win_fence(0, win);
  if (rank == 0) assert(x[EITHER(1, 0)] <= 1);
  MPI_Win_free(&win);
  return finish();
}
