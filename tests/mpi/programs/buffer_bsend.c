// mazurka: ranks=2 verdict=verified
//
// A buffered send leaves its argument free at once, in any matching.
#include "pair.h"

static char space[MPI_BSEND_OVERHEAD + 64];

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 1;
  MPI_Buffer_attach(space, sizeof space);
  if (rank == 0) {
    MPI_Bsend(&x, 1, MPI_INT, 1, 0, WORLD);
    x = 2;
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
    assert(x == 1);
  }
  void* detached;
  int length;
  MPI_Buffer_detach(&detached, &length);
  assert(detached == space && length == sizeof space);
  return finish();
}
