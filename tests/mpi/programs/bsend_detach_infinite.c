// mazurka: ranks=2 verdict=verified options="--buffering infinite"
//
// If MPI has room for everything, a buffer can be detached before its messages are received.
#include "pair.h"

static char space[MPI_BSEND_OVERHEAD + 64];

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 1;
  if (rank == 0) {
    void* detached;
    int length;
    MPI_Buffer_attach(space, sizeof space);
    MPI_Bsend(&x, 1, MPI_INT, 1, 0, WORLD);
    MPI_Buffer_detach(&detached, &length);
    MPI_Barrier(WORLD);
  } else {
    MPI_Barrier(WORLD);
    MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
  }
  return finish();
}
