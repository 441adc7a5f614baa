// mazurka: ranks=2 verdict=verified options="--buffering infinite"
// broken: verdict=finding finding=orphan|leak at=send options="--buffering infinite"
//
// Three are sent, two are received.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  if (rank == 0) {
    for (int i = 0; i < 3; ++i) MPI_Send(&x, 1, MPI_INT, 1, 0, WORLD);  // at: send
  } else {
    for (int i = 0; i < EITHER(2, 3); ++i) MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
  }
  return finish();
}
