// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=bsend
//
// The buffer has room for one message, not for two.
#include "pair.h"

static char space[2 * (MPI_BSEND_OVERHEAD + 64)];

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[16] = {0};
  void* detached;
  int length;
  if (rank == 0) {
    MPI_Buffer_attach(space, EITHER(MPI_BSEND_OVERHEAD + 64, (int)sizeof space));
    MPI_Bsend(x, 16, MPI_INT, 1, 0, WORLD);
    MPI_Bsend(x, 16, MPI_INT, 1, 0, WORLD);  // at: bsend
    MPI_Buffer_detach(&detached, &length);
  } else {
    MPI_Recv(x, 16, MPI_INT, 0, 0, WORLD, IGNORE);
    MPI_Recv(x, 16, MPI_INT, 0, 0, WORLD, IGNORE);
  }
  return finish();
}
