// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse|deadlock
//
// A barrier does not meet a nonblocking barrier.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank == 0 && EITHER(1, 0)) {
    MPI_Barrier(WORLD);
  } else {
    MPI_Ibarrier(WORLD, &request);
    MPI_Wait(&request, IGNORE);
  }
  return finish();
}
