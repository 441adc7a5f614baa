// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=deadlock at=wait
//
// Both wait for their receive before they send.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int in = 0;
  int out = rank;
  MPI_Request request;
  MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 0, WORLD, &request);
#ifdef BROKEN
  MPI_Wait(&request, IGNORE);  // at: wait
#endif
  MPI_Send(&out, 1, MPI_INT, 1 - rank, 0, WORLD);
  MPI_Wait(&request, IGNORE);
  assert(in == 1 - rank);
  return finish();
}
