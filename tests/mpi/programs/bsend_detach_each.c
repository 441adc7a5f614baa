// mazurka: ranks=2 verdict=verified options="--buffering each"
// broken: verdict=finding finding=deadlock at=detach options="--buffering each"
//
// Where each send may be buffered, a detached buffer may have to be waited for.
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
    EITHER((void)0, MPI_Barrier(WORLD));
    MPI_Buffer_detach(&detached, &length);  // at: detach
    EITHER(MPI_Barrier(WORLD), (void)0);
  } else {
    MPI_Barrier(WORLD);
    MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
  }
  return finish();
}
