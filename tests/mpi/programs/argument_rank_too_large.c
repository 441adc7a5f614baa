// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=call
//
// There is no such rank.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, EITHER(2, 1), 0, WORLD);  // at: call
  if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
  return finish();
}
