// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=data_race
//
// Two receives into one buffer.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {rank, 0};
  MPI_Request requests[2];
  if (rank == 0) {
    MPI_Irecv(&x[0], 1, MPI_INT, 1, 0, WORLD, &requests[0]);
    MPI_Irecv(&x[EITHER(0, 1)], 1, MPI_INT, 2, 0, WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else {
    MPI_Send(x, 1, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}
