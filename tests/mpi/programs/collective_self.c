// mazurka: ranks=2 verdict=verified
//
// Collectives of MPI_COMM_SELF are a rank's own business.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  int sum = 0;
  if (rank == 0) MPI_Barrier(MPI_COMM_SELF);
  MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
  assert(sum == rank);
  return finish();
}
