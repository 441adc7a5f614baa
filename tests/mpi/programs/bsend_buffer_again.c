// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=send
//
// A buffer that was detached is empty: it has room for the next message.
#include "pair.h"

static char space[MPI_BSEND_OVERHEAD + 64];

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 1;
  if (rank == 0) {
    void* detached;
    int length;
    MPI_Buffer_attach(space, sizeof space);
    for (int nth = 0; nth < 2; ++nth) {
      MPI_Bsend(&x, 1, MPI_INT, 1, nth, WORLD);  // at: send
      EITHER((void)0, MPI_Buffer_detach(&detached, &length));
      EITHER((void)0, MPI_Buffer_attach(space, sizeof space));
    }
    MPI_Buffer_detach(&detached, &length);
  } else {
    for (int nth = 0; nth < 2; ++nth) MPI_Recv(&x, 1, MPI_INT, 0, nth, WORLD, IGNORE);
  }
  return finish();
}
