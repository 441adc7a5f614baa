// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=leak at=second
//
// The first request is waited for twice, the second never.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {rank, rank};
  MPI_Request requests[2];
  if (rank == 0) {
    MPI_Isend(&x[0], 1, MPI_INT, 1, 0, WORLD, &requests[0]);
    MPI_Isend(&x[1], 1, MPI_INT, 1, 1, WORLD, &requests[1]);  // at: second
  } else {
    MPI_Irecv(&x[0], 1, MPI_INT, 0, 0, WORLD, &requests[0]);
    MPI_Irecv(&x[1], 1, MPI_INT, 0, 1, WORLD, &requests[1]);
  }
  MPI_Wait(&requests[0], IGNORE);
  MPI_Wait(&requests[rank == 0 ? EITHER(0, 1) : 1], IGNORE);
  return finish();
}
