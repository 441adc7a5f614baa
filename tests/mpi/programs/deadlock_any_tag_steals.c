// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=deadlock at=tagged
//
// MPI_ANY_TAG takes the message that the next receive wants.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  if (rank == 0) {
    MPI_Send(&x, 1, MPI_INT, 1, 1, WORLD);
    MPI_Send(&x, 1, MPI_INT, 1, 2, WORLD);
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, EITHER(MPI_ANY_TAG, 2), WORLD, IGNORE);
    MPI_Recv(&x, 1, MPI_INT, 0, 1, WORLD, IGNORE);  // at: tagged
  }
  return finish();
}
