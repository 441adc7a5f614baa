// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=assertion
//
// To ask how a request stands does not end it; but what it has received is there then.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int value = 0;
  if (rank == 0) {
    MPI_Request request;
    MPI_Status status;
    int done = 0;
    MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, &request);
    MPI_Request_get_status(request, &done, &status);
    if (EITHER(1, done)) {
      assert(done && value == 5 && status.MPI_SOURCE == 1 && status.MPI_TAG == 3);
      assert(request != MPI_REQUEST_NULL);
      value = 6;
    }
    MPI_Wait(&request, &status);
    assert(value == (done ? 6 : 5) && status.MPI_SOURCE == 1 && status.MPI_TAG == 3);
  } else {
    value = 5;
    MPI_Send(&value, 1, MPI_INT, 0, 3, WORLD);
  }
  return finish();
}
