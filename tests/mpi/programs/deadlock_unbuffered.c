// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=deadlock at=send
//
// Both ranks send first: it works as long as messages are buffered.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int in = 0;
  int out = rank;
  if (EITHER(1, 0)) {
    MPI_Send(&out, 1, MPI_INT, 1 - rank, 0, WORLD);  // at: send
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, 0, WORLD, IGNORE);
  } else {
    MPI_Sendrecv(&out, 1, MPI_INT, 1 - rank, 0, &in, 1, MPI_INT, 1 - rank, 0, WORLD, IGNORE);
  }
  assert(in == 1 - rank);
  return finish();
}
