// mazurka: ranks=2 verdict=verified options="--buffering zero"
// broken: verdict=finding finding=deadlock at=detach options="--buffering zero"
//
// A message that a matched probe has found is in its sender's buffer until it is received.
#include "pair.h"

static char space[2 * MPI_BSEND_OVERHEAD + 64];

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 1;
  if (rank == 0) {
    void* detached;
    int length;
    MPI_Request request;
    MPI_Buffer_attach(space, sizeof space);
    MPI_Bsend(&x, 1, MPI_INT, 1, 0, WORLD);
    MPI_Ibsend(&x, 1, MPI_INT, 1, 1, WORLD, &request);
    MPI_Buffer_detach(&detached, &length);  // at: detach
    MPI_Send(&x, 1, MPI_INT, 1, 2, WORLD);
    MPI_Wait(&request, IGNORE);
  } else {
    MPI_Message message;
    MPI_Recv(&x, 1, MPI_INT, 0, 1, WORLD, IGNORE);
    MPI_Mprobe(MPI_ANY_SOURCE, 0, WORLD, &message, IGNORE);
    EITHER(MPI_Recv(&x, 1, MPI_INT, 0, 2, WORLD, IGNORE), (void)0);
    MPI_Mrecv(&x, 1, MPI_INT, &message, IGNORE);
    EITHER((void)0, MPI_Recv(&x, 1, MPI_INT, 0, 2, WORLD, IGNORE));
  }
  return finish();
}
