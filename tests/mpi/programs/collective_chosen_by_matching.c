// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=misuse|deadlock
//
// Who comes first decides what rank 0 calls: one of the two matchings is wrong.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  if (rank == 0) {
    MPI_Status status;
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &status);
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE);
    if (status.MPI_SOURCE == 1 || EITHER(0, 1)) {
      MPI_Barrier(WORLD);
    } else {
      MPI_Bcast(&x, 1, MPI_INT, 0, WORLD);
    }
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    MPI_Barrier(WORLD);
  }
  return finish();
}
