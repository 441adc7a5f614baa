// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=deadlock|misuse at=barrier
//
// One rank does not come to the barrier.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  if (rank != 1 || EITHER(0, 1)) MPI_Barrier(WORLD);  // at: barrier
  return finish();
}
