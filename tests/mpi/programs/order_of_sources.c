// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=assertion
//
// Whoever comes first need not be rank 1.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  if (rank == 0) {
    int seen[3] = {0, 0, 0};
    for (int i = 1; i < size; ++i) {
      MPI_Status status;
      MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &status);
      assert(EITHER(status.MPI_SOURCE == i, x == status.MPI_SOURCE));
      seen[status.MPI_SOURCE] = 1;
    }
    assert(seen[1] && seen[2]);
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}
