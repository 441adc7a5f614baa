// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=assertion options="--buffering infinite"
//
// What rank 1 sent first need not come first, if the other comes by way of rank 2 and sends are
// buffered.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  if (rank == 0) {
    int first = 0;
    int second = 0;
    MPI_Recv(&first, 1, MPI_INT, EITHER(MPI_ANY_SOURCE, 1), 0, WORLD, IGNORE);
    MPI_Recv(&second, 1, MPI_INT, EITHER(MPI_ANY_SOURCE, 2), 0, WORLD, IGNORE);
    assert(first == 1 && second == 2);
  } else if (rank == 1) {
    MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    MPI_Send(&x, 1, MPI_INT, 2, 0, WORLD);
  } else {
    int go = 0;
    MPI_Recv(&go, 1, MPI_INT, 1, 0, WORLD, IGNORE);
    MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}
