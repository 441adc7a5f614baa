// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=deadlock|misuse at=bcast
//
// The same call in different communicators.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  MPI_Comm other;
  MPI_Comm_dup(WORLD, &other);
  MPI_Bcast(&x, 1, MPI_INT, 0, rank == 0 ? WORLD : EITHER(other, WORLD));  // at: bcast
  MPI_Comm_free(&other);
  return finish();
}
