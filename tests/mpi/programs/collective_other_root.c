// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=misuse at=bcast
//
// Not all name the same root.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  MPI_Bcast(&x, 1, MPI_INT, rank == 2 ? EITHER(1, 0) : 0, WORLD);  // at: bcast
  assert(x == 0);
  return finish();
}
