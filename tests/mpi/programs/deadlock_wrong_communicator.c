// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=deadlock at=recv
//
// Sent in one communicator, received in its duplicate.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 7;
  MPI_Comm other;
  MPI_Comm_dup(WORLD, &other);
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, 0, WORLD);
  if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, 0, EITHER(other, WORLD), IGNORE);  // at: recv
  MPI_Comm_free(&other);
  return finish();
}
