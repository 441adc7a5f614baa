// mazurka: ranks=2 verdict=verified
//
// Polling for a message is waiting for it.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  if (rank == 0) {
    int flag = 0;
    MPI_Status status;
    while (!flag) MPI_Iprobe(1, 0, WORLD, &flag, &status);
    MPI_Recv(&x, 1, MPI_INT, 1, 0, WORLD, IGNORE);
    assert(x == 1);
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}
