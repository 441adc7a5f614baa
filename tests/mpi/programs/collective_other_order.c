// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse|deadlock
//
// Two collectives in different orders.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  if (rank == 0 && EITHER(1, 0)) {
    MPI_Barrier(WORLD);
    MPI_Bcast(&x, 1, MPI_INT, 0, WORLD);
  } else {
    MPI_Bcast(&x, 1, MPI_INT, 0, WORLD);
    MPI_Barrier(WORLD);
  }
  assert(x == 0);
  return finish();
}
