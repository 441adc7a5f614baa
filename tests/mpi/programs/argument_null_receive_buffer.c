// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse|crash at=call
//
// Only the root needs room for what is gathered, but it does.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  int all[2] = {0, 0};
  MPI_Gather(&x, 1, MPI_INT, rank == 0 ? EITHER(NULL, all) : NULL, 1, MPI_INT, 0,
             WORLD);  // at: call
  if (rank == 0) assert(all[1] == EITHER(0, 1));
  return finish();
}
