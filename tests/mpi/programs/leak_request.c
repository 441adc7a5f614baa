// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=leak at=isend
//
// A request that nobody waits for.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 1;
  if (rank == 0) {
    MPI_Request request;
    MPI_Isend(&x, 1, MPI_INT, 1, 0, WORLD, &request);  // at: isend
    if (EITHER(0, 1)) MPI_Wait(&request, IGNORE);
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
  }
  return finish();
}
