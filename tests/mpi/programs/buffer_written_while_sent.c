// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=data_race at=write
//
// The buffer of a nonblocking send is written before it is complete.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 1;
  MPI_Request request;
  if (rank == 0) {
    MPI_Isend(&x, 1, MPI_INT, 1, 0, WORLD, &request);
    if (EITHER(1, 0)) x = 2;  // at: write
    MPI_Wait(&request, IGNORE);
    x = 3;
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
  }
  return finish();
}
