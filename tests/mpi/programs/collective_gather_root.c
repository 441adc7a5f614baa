// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=misuse at=gather
//
// Two ranks believe that they gather.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  int all[3] = {0};
  MPI_Gather(&x, 1, MPI_INT, all, 1, MPI_INT, EITHER(rank == 1, 0), WORLD);  // at: gather
  return finish();
}
