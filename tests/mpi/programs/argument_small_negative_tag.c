// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse message="the tag is negative (-2)" at=call
//
// Nor is a small negative number MPI_ANY_TAG.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  if (rank == 1) MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
  if (rank == 0) MPI_Recv(&x, 1, MPI_INT, 1, EITHER(-2, MPI_ANY_TAG), WORLD, IGNORE);  // at: call
  return finish();
}
