// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=recv
//
// The message is longer than the buffer.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {1, 2};
  if (rank == 0) MPI_Send(x, 2, MPI_INT, 1, 0, WORLD);
  if (rank == 1) MPI_Recv(x, EITHER(1, 2), MPI_INT, 0, 0, WORLD, IGNORE);  // at: recv
  return finish();
}
