// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=deadlock at=wait
//
// Waiting for a send that nobody has received yet, before receiving.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int in = 0;
  int out = rank;
  MPI_Request request;
  MPI_Isend(&out, 1, MPI_INT, 1 - rank, 0, WORLD, &request);
#ifdef BROKEN
  MPI_Wait(&request, IGNORE);  // at: wait
#endif
  MPI_Recv(&in, 1, MPI_INT, 1 - rank, 0, WORLD, IGNORE);
  MPI_Wait(&request, IGNORE);
  assert(in == 1 - rank);
  return finish();
}
