// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=all
//
// Sent as ints, received as floats.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int mine[2] = {rank, rank};
  int all[2] = {0};
  MPI_Alltoall(mine, 1, MPI_INT, all, 1, EITHER(MPI_FLOAT, MPI_INT), WORLD);  // at: all
  return finish();
}
