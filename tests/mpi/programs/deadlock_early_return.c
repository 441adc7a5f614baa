// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=deadlock|misuse at=recv
//
// A rank leaves before it sends what the other waits for.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 7;
  if (rank == 0) {
    if (EITHER(1, 0)) return finish();
    MPI_Send(&x, 1, MPI_INT, 1, 0, WORLD);
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);  // at: recv
  }
  return finish();
}
