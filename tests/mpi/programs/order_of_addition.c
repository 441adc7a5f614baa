// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=assertion
//
// Subtraction in the order of arrival.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  if (rank == 0) {
    int result = 8;
    for (int i = 1; i < size; ++i) {
      MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE);
      result = EITHER(2 * result - x, result - x);
    }
    assert(result == EITHER(28, 5));
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}
