// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=scatter
//
// The ranks take more than the root sends to each.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int all[4] = {0, 1, 2, 3};
  int mine[3] = {-1, -1, -1};
  MPI_Scatter(all, 2, MPI_INT, mine, EITHER(3, 2), MPI_INT, 0, WORLD);  // at: scatter
  assert(mine[1] == 2 * rank + 1);
  return finish();
}
