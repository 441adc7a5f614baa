// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=reduce
//
// Not all name the same operation.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank + 1;
  int result = 0;
  MPI_Allreduce(&x, &result, 1, MPI_INT, rank == 0 ? MPI_SUM : EITHER(MPI_MAX, MPI_SUM),
                WORLD);  // at: reduce
  assert(result == 3);
  return finish();
}
