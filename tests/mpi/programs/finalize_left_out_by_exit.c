// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse
//
// A rank calls exit in the middle.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Barrier(WORLD);
  if (rank == 1 && EITHER(1, 0)) exit(0);
  MPI_Finalize();
  exit(0);
}
