// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=leak at=dup
//
// A communicator that is not freed.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Comm other;
  MPI_Comm_dup(WORLD, &other);  // at: dup
  MPI_Barrier(other);
  if (EITHER(0, 1)) MPI_Comm_free(&other);
  return finish();
}
