// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=start
//
// MPI_Start of a request that is not persistent.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 1;
  MPI_Request request;
  if (rank == 0) {
    if (EITHER(1, 0)) MPI_Isend(&x, 1, MPI_INT, 1, 0, WORLD, &request);
    if (EITHER(0, 1)) MPI_Send_init(&x, 1, MPI_INT, 1, 0, WORLD, &request);
    MPI_Start(&request);  // at: start
    MPI_Wait(&request, IGNORE);
    if (EITHER(0, 1)) MPI_Request_free(&request);
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
  }
  return finish();
}
