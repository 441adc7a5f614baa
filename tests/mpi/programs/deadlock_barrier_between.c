// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=deadlock at=recv
//
// One rank enters the barrier before it sends, the other receives before it enters.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 7;
  if (rank == 0) {
    if (EITHER(1, 0)) MPI_Barrier(WORLD);
    MPI_Send(&x, 1, MPI_INT, 1, 0, WORLD);
    if (EITHER(0, 1)) MPI_Barrier(WORLD);
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);  // at: recv
    MPI_Barrier(WORLD);
  }
  return finish();
}
