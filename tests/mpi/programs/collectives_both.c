// mazurka: ranks=3 verdict=verified options="--collectives sync"
// broken: verdict=finding finding=assertion at=first options='--collectives both'
//
// That rank 1's message comes second is so only where a broadcast waits for all. The twin is the
// same program, explored with both kinds of collectives.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  int shared = 0;
  if (rank == 0) {
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE);
    assert(x == 2);  // at: first
    MPI_Bcast(&shared, 1, MPI_INT, 1, WORLD);
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE);
  } else if (rank == 1) {
    MPI_Bcast(&shared, 1, MPI_INT, 1, WORLD);
    MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    MPI_Bcast(&shared, 1, MPI_INT, 1, WORLD);
  }
  return finish();
}
