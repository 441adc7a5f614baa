// mazurka: ranks=2 verdict=verified
//
// A receive that nothing came for is cancelled.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  if (rank == 0) {
    MPI_Request request;
    MPI_Status status;
    int flag = 0;
    MPI_Irecv(&x, 1, MPI_INT, 1, 0, WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    assert(flag);
  }
  return finish();
}
