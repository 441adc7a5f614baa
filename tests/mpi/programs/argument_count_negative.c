// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=call
//
// Less than nothing.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  if (rank == 0) MPI_Send(&x, EITHER(-1, 0), MPI_INT, 1, 0, WORLD);  // at: call
  if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
  return finish();
}
