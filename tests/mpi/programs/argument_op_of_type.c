// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=call
//
// Bits of doubles.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  double x = 1;
  double result = 0;
  MPI_Allreduce(&x, &result, 1, MPI_DOUBLE, EITHER(MPI_BAND, MPI_MAX), WORLD);  // at: call
  return finish();
}
