// mazurka: ranks=4 verdict=verified
// broken: verdict=finding finding=misuse at=call
//
// A grid with more places than ranks.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Comm grid;
  const int sizes[2] = {2, EITHER(3, 2)};
  const int periodic[2] = {0, 0};
  MPI_Cart_create(WORLD, 2, sizes, periodic, 0, &grid);  // at: call
  MPI_Comm_free(&grid);
  return finish();
}
