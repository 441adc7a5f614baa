// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=call
//
// MPI_OP_NULL.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 1;
  int sum = 0;
  MPI_Allreduce(&x, &sum, 1, MPI_INT, EITHER(MPI_OP_NULL, MPI_SUM), WORLD);  // at: call
  return finish();
}
