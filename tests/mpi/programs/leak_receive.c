// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=leak at=irecv
//
// A receive is posted that nothing comes for.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 1;
  MPI_Request request = MPI_REQUEST_NULL;
  if (rank == 0) {
    if (EITHER(1, 0)) MPI_Irecv(&x, 1, MPI_INT, 1, 0, WORLD, &request);  // at: irecv
  }
  MPI_Barrier(WORLD);
  return finish();
}
