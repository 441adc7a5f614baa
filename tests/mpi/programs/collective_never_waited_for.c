// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=leak at=bcast
//
// A nonblocking collective that nobody waits for.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  MPI_Request request;
  MPI_Ibcast(&x, 1, MPI_INT, 0, WORLD, &request);  // at: bcast
  if (rank == 0 || EITHER(0, 1)) MPI_Wait(&request, IGNORE);
  return finish();
}
