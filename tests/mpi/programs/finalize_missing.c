// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse
//
// A rank ends without MPI_Finalize.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Barrier(WORLD);
  if (rank == 0 || EITHER(0, 1)) MPI_Finalize();
  return 0;
}
