// mazurka: ranks=3 verdict=verified executions=2
// broken: verdict=finding finding=data_race
//
// Several ranks accumulate at one place: with the same operation, in any order.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  MPI_Win_fence(0, win);
  if (rank > 0) {
    MPI_Accumulate(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT,
                   EITHER(rank == 1 ? MPI_SUM : MPI_PROD, MPI_SUM), win);
  }
  MPI_Win_fence(0, win);
  if (rank == 0) assert(EITHER(1, x[0] == 3));
  MPI_Win_free(&win);
  return finish();
}
