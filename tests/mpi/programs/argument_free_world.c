// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=call
//
// MPI_COMM_WORLD is freed.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Comm comm = WORLD;
  if (EITHER(0, 1)) MPI_Comm_dup(WORLD, &comm);
  MPI_Comm_free(&comm);  // at: call
  return finish();
}
