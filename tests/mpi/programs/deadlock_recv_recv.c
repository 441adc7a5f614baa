// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=deadlock at=recv
//
// Both ranks receive before they send.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int in = 0;
  int out = rank;
  if (EITHER(1, rank == 0)) {
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, 0, WORLD, IGNORE);  // at: recv
    MPI_Send(&out, 1, MPI_INT, 1 - rank, 0, WORLD);
  } else {
    MPI_Send(&out, 1, MPI_INT, 1 - rank, 0, WORLD);
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, 0, WORLD, IGNORE);
  }
  assert(in == 1 - rank);
  return finish();
}
