// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=call
//
// MPI is used after MPI_Finalize.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  if (EITHER(0, 1)) MPI_Barrier(WORLD);
  MPI_Finalize();
  if (EITHER(1, 0)) MPI_Barrier(WORLD);  // at: call
  return 0;
}
