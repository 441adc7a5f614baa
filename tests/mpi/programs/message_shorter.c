// mazurka: ranks=2 verdict=verified
//
// A message may be shorter than the buffer: the status says how long it is.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[4] = {1, 2, 3, 4};
  if (rank == 0) MPI_Send(x, 2, MPI_INT, 1, 0, WORLD);
  if (rank == 1) {
    MPI_Status status;
    int count = 0;
    MPI_Recv(x, 4, MPI_INT, 0, 0, WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    assert(count == 2 && status.MPI_SOURCE == 0 && status.MPI_TAG == 0);
  }
  return finish();
}
