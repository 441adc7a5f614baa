// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=deadlock at=recv
//
// The master waits for a message more than the workers send.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  if (rank == 0) {
    const int expected = EITHER(size, size - 1);
    for (int i = 0; i < expected; ++i) {
      MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE);  // at: recv
    }
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}
