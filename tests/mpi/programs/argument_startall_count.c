// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=start
//
// A negative number of requests is started.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  int y = 0;
  MPI_Request requests[2];
  MPI_Send_init(&x, 1, MPI_INT, 1 - rank, 0, WORLD, &requests[0]);
  MPI_Recv_init(&y, 1, MPI_INT, 1 - rank, 0, WORLD, &requests[1]);
  MPI_Startall(EITHER(-2, 2), requests);  // at: start
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  assert(y == 1 - rank);
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  return finish();
}
