// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=misuse at=call
//
// A rank of MPI_COMM_WORLD is used in a smaller communicator.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  MPI_Comm part;
  MPI_Comm_split(WORLD, rank == 0, rank, &part);
  if (rank == 1) MPI_Send(&x, 1, MPI_INT, EITHER(2, 1), 0, part);  // at: call
  if (rank == 2) MPI_Recv(&x, 1, MPI_INT, 0, 0, part, IGNORE);
  MPI_Comm_free(&part);
  return finish();
}
