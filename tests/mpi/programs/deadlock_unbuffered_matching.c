// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=deadlock at=last options="--buffering infinite"
//
// Only if sends are buffered the message of rank 2 can come first, and the receive that names it
// waits for ever.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  if (rank == 0) {
    MPI_Recv(&x, 1, MPI_INT, EITHER(MPI_ANY_SOURCE, 1), 0, WORLD, IGNORE);
    MPI_Recv(&x, 1, MPI_INT, 2, 0, WORLD, IGNORE);  // at: last
  } else if (rank == 1) {
    MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    MPI_Send(&x, 1, MPI_INT, 2, 0, WORLD);
  } else {
    MPI_Recv(&x, 1, MPI_INT, 1, 0, WORLD, IGNORE);
    MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}
