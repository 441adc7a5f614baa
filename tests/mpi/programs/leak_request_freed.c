// mazurka: ranks=2 verdict=verified
//
// A send may be freed instead of waited for.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 1;
  if (rank == 0) {
    MPI_Request request;
    MPI_Isend(&x, 1, MPI_INT, 1, 0, WORLD, &request);
    MPI_Request_free(&request);
    assert(request == MPI_REQUEST_NULL);
    MPI_Recv(&x, 1, MPI_INT, 1, 0, WORLD, IGNORE);
  } else {
    int y = 0;
    MPI_Recv(&y, 1, MPI_INT, 0, 0, WORLD, IGNORE);
    MPI_Send(&y, 1, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}
