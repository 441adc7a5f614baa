// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse|deadlock at=call
//
// One rank broadcasts where the other reduces.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  int sum = 0;
  if (rank == 0 || EITHER(0, 1)) {
    MPI_Bcast(&x, 1, MPI_INT, 0, WORLD);
  } else {
    MPI_Reduce(&x, &sum, 1, MPI_INT, MPI_SUM, 0, WORLD);  // at: call
  }
  return finish();
}
