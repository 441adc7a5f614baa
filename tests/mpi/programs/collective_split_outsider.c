// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=misuse at=barrier
//
// A rank that got no communicator uses it.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Comm part;
  MPI_Comm_split(WORLD, rank == 2 ? MPI_UNDEFINED : 0, rank, &part);
  if (rank != 2 || EITHER(1, 0)) MPI_Barrier(part);  // at: barrier
  if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
  return finish();
}
