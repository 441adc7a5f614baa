// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse|deadlock
//
// Two nonblocking collectives in different orders.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  MPI_Request requests[2];
  if (rank == 0 && EITHER(1, 0)) {
    MPI_Ibarrier(WORLD, &requests[0]);
    MPI_Ibcast(&x, 1, MPI_INT, 0, WORLD, &requests[1]);
  } else {
    MPI_Ibcast(&x, 1, MPI_INT, 0, WORLD, &requests[1]);
    MPI_Ibarrier(WORLD, &requests[0]);
  }
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  return finish();
}
