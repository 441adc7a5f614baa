// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=bcast
//
// The root sends two, the other takes one.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {rank, rank};
  MPI_Bcast(x, rank == 0 ? 2 : EITHER(1, 2), MPI_INT, 0, WORLD);  // at: bcast
  assert(x[1] == 0);
  return finish();
}
