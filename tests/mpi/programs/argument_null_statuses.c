// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse message="the status is a null pointer" at=call
//
// The same for the statuses of several.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Request requests[2];
  MPI_Irecv(&x[0], 1, MPI_INT, 1 - rank, 0, WORLD, &requests[0]);
  MPI_Isend(&x[1], 1, MPI_INT, 1 - rank, 0, WORLD, &requests[1]);
  MPI_Waitall(2, requests, EITHER(NULL, MPI_STATUSES_IGNORE));  // at: call
  return finish();
}
