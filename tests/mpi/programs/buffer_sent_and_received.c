// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=data_race
//
// What is being sent is received into.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {rank, rank};
  MPI_Request requests[2];
  MPI_Isend(&x[0], 1, MPI_INT, 1 - rank, 0, WORLD, &requests[0]);
  MPI_Irecv(&x[EITHER(0, 1)], 1, MPI_INT, 1 - rank, 0, WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  assert(x[1] == 1 - rank);
  return finish();
}
