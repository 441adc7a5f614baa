// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=leak at=isend
//
// A variable for two requests: the first is lost.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 1;
  if (rank == 0) {
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    for (int i = 0; i < 2; ++i) {
      MPI_Isend(&x, 1, MPI_INT, 1, i, WORLD, &requests[EITHER(0, i)]);  // at: isend
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else {
    for (int i = 0; i < 2; ++i) MPI_Recv(&x, 1, MPI_INT, 0, i, WORLD, IGNORE);
  }
  return finish();
}
