// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=call
//
// MPI_DATATYPE_NULL.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  MPI_Bcast(&x, 1, EITHER(MPI_DATATYPE_NULL, MPI_INT), 0, WORLD);  // at: call
  return finish();
}
