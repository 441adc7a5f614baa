// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=reduce
//
// Sends and receives in one buffer without MPI_IN_PLACE.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank + 1;
  MPI_Allreduce(EITHER((void*)&x, MPI_IN_PLACE), &x, 1, MPI_INT, MPI_SUM, WORLD);  // at: reduce
  assert(x == 3);
  return finish();
}
