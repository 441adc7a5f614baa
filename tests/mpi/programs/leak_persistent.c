// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=leak at=init
//
// A persistent request that is not freed.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 1;
  MPI_Request request;
  if (rank == 0) MPI_Send_init(&x, 1, MPI_INT, 1, 0, WORLD, &request);  // at: init
  if (rank == 1) MPI_Recv_init(&x, 1, MPI_INT, 0, 0, WORLD, &request);
  MPI_Start(&request);
  MPI_Wait(&request, IGNORE);
  if (rank == 1 || EITHER(0, 1)) MPI_Request_free(&request);
  return finish();
}
