// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=data_race at=write
//
// Only the last element of the buffer is touched too early.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[4] = {1, 2, 3, 4};
  MPI_Request request;
  if (rank == 0) {
    MPI_Send(x, 3, MPI_INT, 1, 0, WORLD);
  } else {
    MPI_Irecv(x, 3, MPI_INT, 0, 0, WORLD, &request);
    x[EITHER(2, 3)] = 0;  // at: write
    MPI_Wait(&request, IGNORE);
  }
  return finish();
}
