// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=deadlock at=recv
//
// The receiver waits for another tag than the sender gives.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 7;
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, 1, WORLD);
  if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, EITHER(2, 1), WORLD, IGNORE);  // at: recv
  return finish();
}
