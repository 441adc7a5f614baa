// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=assertion
//
// Messages of one sender do not overtake each other; with another tag the later one may be received
// first.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 1};
  if (rank == 0) {
    MPI_Send(&x[0], 1, MPI_INT, 1, 0, WORLD);
    MPI_Send(&x[1], 1, MPI_INT, 1, EITHER(1, 0), WORLD);
  } else {
    MPI_Request requests[2];
    MPI_Irecv(&x[0], 1, MPI_INT, MPI_ANY_SOURCE, EITHER(1, 0), WORLD, &requests[0]);
    MPI_Irecv(&x[1], 1, MPI_INT, 0, MPI_ANY_TAG, WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    assert(x[0] == 0 && x[1] == 1);
  }
  return finish();
}
