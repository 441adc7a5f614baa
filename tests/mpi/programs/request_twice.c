// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=again
//
// A request is waited for twice, by a copy of its handle.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 1;
  MPI_Request request;
  if (rank == 0) {
    MPI_Isend(&x, 1, MPI_INT, 1, 0, WORLD, &request);
    MPI_Request copy = request;
    MPI_Wait(&request, IGNORE);
    assert(request == MPI_REQUEST_NULL);
    MPI_Wait(EITHER(&copy, &request), IGNORE);  // at: again
    (void)copy;
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
  }
  return finish();
}
