// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=again
//
// A persistent request is started while it is active.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 1;
  if (rank == 0) {
    MPI_Request request;
    MPI_Send_init(&x, 1, MPI_INT, 1, 0, WORLD, &request);
    MPI_Start(&request);
    if (EITHER(0, 1)) MPI_Wait(&request, IGNORE);
    MPI_Start(&request);  // at: again
    MPI_Wait(&request, IGNORE);
    MPI_Request_free(&request);
  } else {
    for (int i = 0; i < 2; ++i) MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
  }
  return finish();
}
