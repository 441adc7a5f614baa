// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=bsend
//
// A buffered send without a buffer.
#include "pair.h"

static char space[MPI_BSEND_OVERHEAD + 64];

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 1;
  void* detached;
  int length;
  if (rank == 0) {
    if (EITHER(0, 1)) MPI_Buffer_attach(space, sizeof space);
    MPI_Bsend(&x, 1, MPI_INT, 1, 0, WORLD);  // at: bsend
    if (EITHER(0, 1)) MPI_Buffer_detach(&detached, &length);
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
  }
  (void)space;
  (void)detached;
  (void)length;
  return finish();
}
