// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=reduce
//
// One rank adds ints, the other floats.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[1] = {1};
  int sum[1] = {0};
  MPI_Allreduce(x, sum, 1, rank == 0 ? MPI_INT : EITHER(MPI_FLOAT, MPI_INT), MPI_SUM,
                WORLD);  // at: reduce
  return finish();
}
