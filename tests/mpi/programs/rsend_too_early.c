// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=rsend
//
// A ready send needs a receive that is there.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  MPI_Request request;
  if (rank == 0) {
    if (EITHER(0, 1)) MPI_Recv(&x, 1, MPI_INT, 1, 1, WORLD, IGNORE);
    MPI_Rsend(&x, 1, MPI_INT, 1, 0, WORLD);  // at: rsend
  } else {
    int y = 0;
    MPI_Irecv(&y, 1, MPI_INT, 0, 0, WORLD, &request);
    if (EITHER(0, 1)) MPI_Send(&x, 1, MPI_INT, 0, 1, WORLD);
    MPI_Wait(&request, IGNORE);
  }
  return finish();
}
