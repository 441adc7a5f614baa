// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=abort at=abort
//
// Rank 1 gives up.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  MPI_Bcast(&x, 1, MPI_INT, 0, WORLD);
  if (x != rank && EITHER(1, 0)) MPI_Abort(WORLD, 3);  // at: abort
  return finish();
}
