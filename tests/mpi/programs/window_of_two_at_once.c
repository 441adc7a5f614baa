// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=data_race
//
// Two windows of the same memory: what goes through both is not atomic.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  MPI_Win one;
  MPI_Win two;
  MPI_Win_create(&x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &one);
  MPI_Win_create(&x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &two);
  MPI_Win other = EITHER(rank == 1 ? one : two, one);
  MPI_Win_fence(0, one);
  MPI_Win_fence(0, two);
  if (rank > 0) MPI_Accumulate(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, other);
  MPI_Win_fence(0, two);
  MPI_Win_fence(0, one);
  MPI_Win_free(&two);
  MPI_Win_free(&one);
  return finish();
}
