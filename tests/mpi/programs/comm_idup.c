// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse message="before the operation that makes it is complete"
// at=here
//
// A copy of a communicator may be used when its request is complete.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Comm copy;
  MPI_Request request;
  int value = rank;
  MPI_Comm_idup(WORLD, &copy, &request);
  if (EITHER(0, 1)) MPI_Wait(&request, IGNORE);
  MPI_Bcast(&value, 1, MPI_INT, 0, copy);  // at: here
  assert(value == 0);
  MPI_Comm_free(&copy);
  return finish();
}
