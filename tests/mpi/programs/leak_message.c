// mazurka: ranks=2 verdict=verified options="--buffering infinite"
// broken: verdict=finding finding=orphan|leak at=send options="--buffering infinite"
//
// A message that nobody receives.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 1;
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, 0, WORLD);  // at: send
  if (rank == 1 && EITHER(0, 1)) MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
  return finish();
}
