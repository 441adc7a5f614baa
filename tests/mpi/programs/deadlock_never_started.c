// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=deadlock at=recv
//
// A persistent send that is not started.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 7;
  if (rank == 0) {
    MPI_Request request;
    MPI_Send_init(&x, 1, MPI_INT, 1, 0, WORLD, &request);
    if (EITHER(0, 1)) MPI_Start(&request);
    MPI_Wait(&request, IGNORE);
    MPI_Request_free(&request);
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);  // at: recv
  }
  return finish();
}
