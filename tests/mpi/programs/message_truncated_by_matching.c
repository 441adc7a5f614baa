// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=misuse at=recv
//
// Too long only if the other message comes first.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {rank, rank};
  if (rank == 0) {
    MPI_Recv(x, 1, MPI_INT, EITHER(MPI_ANY_SOURCE, 1), 0, WORLD, IGNORE);  // at: recv
    MPI_Recv(x, 2, MPI_INT, EITHER(MPI_ANY_SOURCE, 2), 0, WORLD, IGNORE);
  } else {
    MPI_Send(x, rank, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}
