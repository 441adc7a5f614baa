// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=call
//
// A type that was not committed.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  if (EITHER(0, 1)) MPI_Type_commit(&pair);
  if (rank == 0) MPI_Send(x, 1, pair, 1, 0, WORLD);  // at: call
  if (rank == 1) MPI_Recv(x, 2, MPI_INT, 0, 0, WORLD, IGNORE);
  MPI_Type_free(&pair);
  return finish();
}
