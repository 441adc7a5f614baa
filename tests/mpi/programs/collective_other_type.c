// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=bcast
//
// The root sends floats, the other takes ints.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[1] = {0};
  MPI_Bcast(x, 1, rank == 0 ? EITHER(MPI_FLOAT, MPI_INT) : MPI_INT, 0, WORLD);  // at: bcast
  return finish();
}
