// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=misuse at=gather
//
// The root takes less from each than each sends.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int mine[2] = {rank, rank};
  int all[6] = {0};
  MPI_Gather(mine, 2, MPI_INT, all, EITHER(1, 2), MPI_INT, 0, WORLD);  // at: gather
  if (rank == 0) assert(all[4] == 2 && all[5] == 2);
  return finish();
}
