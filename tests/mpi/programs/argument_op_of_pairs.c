// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=call
//
// MPI_MAXLOC wants pairs.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {rank, rank};
  int result[2] = {0, 0};
  MPI_Allreduce(x, result, 1, EITHER(MPI_INT, MPI_2INT), MPI_MAXLOC, WORLD);  // at: call
  return finish();
}
