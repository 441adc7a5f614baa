// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=deadlock at=tagged
//
// MPI_ANY_TAG takes the message that the next receive wants.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  if (rank == 0) {
    MPI_Request requests[2];
    for (int i = 0; i < 2; ++i) MPI_Isend(&x, 1, MPI_INT, 1, i + 1, WORLD, &requests[i]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, EITHER(MPI_ANY_TAG, 2), WORLD, IGNORE);
    MPI_Recv(&x, 1, MPI_INT, 0, 1, WORLD, IGNORE);  // at: tagged
  }
  return finish();
}
