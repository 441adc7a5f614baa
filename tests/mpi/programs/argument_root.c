// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=call
//
// A root that does not exist.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  MPI_Bcast(&x, 1, MPI_INT, EITHER(2, 1), WORLD);  // at: call
  return finish();
}
