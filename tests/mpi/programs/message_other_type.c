// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=recv
//
// Sent as a float, received as an int.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 1;
  if (rank == 0) MPI_Send(&x, 1, EITHER(MPI_FLOAT, MPI_INT), 1, 0, WORLD);
  if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);  // at: recv
  return finish();
}
