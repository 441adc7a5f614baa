// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=memory_error at=call message="beyond the end of `parts`"
//
// What the root scatters is a part for each rank.
#include "pair.h"

enum { part = 3 };

static double parts[EITHER(4, 6)];

int main(int argc, char** argv) {
  double own[part];
  start(&argc, &argv);
  MPI_Scatter(parts, part, MPI_DOUBLE, own, part, MPI_DOUBLE, 0, WORLD);  // at: call
  assert(own[0] == 0);
  return finish();
}
