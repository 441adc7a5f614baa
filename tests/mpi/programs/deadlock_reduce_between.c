// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=deadlock
//
// The root gets its message only after the reduction it waits in.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  int sum = 0;
  if (rank == 0) {
    if (EITHER(1, 0)) MPI_Reduce(&x, &sum, 1, MPI_INT, MPI_SUM, 0, WORLD);
    MPI_Ssend(&x, 1, MPI_INT, 1, 0, WORLD);
    if (EITHER(0, 1)) MPI_Reduce(&x, &sum, 1, MPI_INT, MPI_SUM, 0, WORLD);
    assert(sum == 3);
  } else {
    if (rank == 1) MPI_Recv(&sum, 1, MPI_INT, 0, 0, WORLD, IGNORE);
    MPI_Reduce(&x, NULL, 1, MPI_INT, MPI_SUM, 0, WORLD);
  }
  return finish();
}
