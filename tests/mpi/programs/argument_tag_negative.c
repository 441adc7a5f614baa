// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=call
//
// A tag below zero.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, EITHER(-5, 5), WORLD);  // at: call
  if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, MPI_ANY_TAG, WORLD, IGNORE);
  return finish();
}
