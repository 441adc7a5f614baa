// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=deadlock at=named
//
// The wildcard may take the message that the next receive names.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  if (rank == 0) {
    MPI_Recv(&x, 1, MPI_INT, EITHER(MPI_ANY_SOURCE, 2), 0, WORLD, IGNORE);
    MPI_Recv(&x, 1, MPI_INT, 1, 0, WORLD, IGNORE);  // at: named
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}
