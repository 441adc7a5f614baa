// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=call
//
// MPI_COMM_NULL.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Barrier(EITHER(MPI_COMM_NULL, WORLD));  // at: call
  return finish();
}
