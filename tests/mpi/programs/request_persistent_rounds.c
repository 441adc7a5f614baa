// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=assertion
//
// Persistent requests, round after round: what comes is what was sent in that round.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = -1;
  MPI_Request request;
  if (rank == 0) MPI_Send_init(&x, 1, MPI_INT, 1, 0, WORLD, &request);
  if (rank == 1) MPI_Recv_init(&x, 1, MPI_INT, 0, 0, WORLD, &request);
  for (int i = 0; i < 3; ++i) {
    if (rank == 0) x = i;
    MPI_Startall(1, &request);
    MPI_Wait(&request, IGNORE);
    assert(x == EITHER(1, i));
  }
  MPI_Request_free(&request);
  return finish();
}
