// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=misuse at=reduce
//
// Vectors of different lengths are reduced.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {rank, 1};
  int sum[2] = {0, 0};
  MPI_Reduce(x, sum, rank == 1 ? EITHER(1, 2) : 2, MPI_INT, MPI_SUM, 0, WORLD);  // at: reduce
  if (rank == 0) assert(sum[0] == 3 && sum[1] == 3);
  return finish();
}
