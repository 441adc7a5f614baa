// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=assertion
//
// Whichever request is complete first.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  if (rank == 0) {
    int values[2] = {0, 0};
    MPI_Request requests[2];
    for (int i = 0; i < 2; ++i) MPI_Irecv(&values[i], 1, MPI_INT, i + 1, 0, WORLD, &requests[i]);
    for (int i = 0; i < 2; ++i) {
      int index = -1;
      MPI_Status status;
      MPI_Waitany(2, requests, &index, &status);
      assert(EITHER(index == i, values[index] == index + 1 && status.MPI_SOURCE == index + 1));
      assert(requests[index] == MPI_REQUEST_NULL);
    }
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}
