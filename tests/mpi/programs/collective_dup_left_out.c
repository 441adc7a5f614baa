// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse|deadlock
//
// A communicator is made by some of the ranks only.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Comm other = MPI_COMM_NULL;
  if (rank == 0 || EITHER(0, 1)) MPI_Comm_dup(WORLD, &other);
  if (other != MPI_COMM_NULL) MPI_Comm_free(&other);
  return finish();
}
