// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=deadlock at=ssend options="--buffering infinite"
//
// Head to head with synchronous sends: no buffer helps.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int in = 0;
  int out = rank;
  if (EITHER(1, rank == 0)) {
    MPI_Ssend(&out, 1, MPI_INT, 1 - rank, 0, WORLD);  // at: ssend
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, 0, WORLD, IGNORE);
  } else {
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, 0, WORLD, IGNORE);
    MPI_Ssend(&out, 1, MPI_INT, 1 - rank, 0, WORLD);
  }
  return finish();
}
