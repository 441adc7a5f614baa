// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=deadlock at=recv
//
// The message goes to another rank than the one that waits for it.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 7;
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, EITHER(2, 1), 0, WORLD);
  if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);  // at: recv
  return finish();
}
