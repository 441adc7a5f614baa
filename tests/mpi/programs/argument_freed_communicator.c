// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=call
//
// A communicator is used after it was freed, by a copy of its handle.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Comm other;
  MPI_Comm_dup(WORLD, &other);
  MPI_Comm copy = other;
  if (EITHER(0, 1)) MPI_Barrier(copy);
  MPI_Comm_free(&other);
  if (EITHER(1, 0)) MPI_Barrier(copy);  // at: call
  return finish();
}
