// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=gather
//
// The root's counts are not what the ranks send.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int mine[2] = {rank, rank};
  int all[4] = {0};
  const int counts[2] = {1, EITHER(1, 2)};
  const int places[2] = {0, 1};
  MPI_Gatherv(mine, rank + 1, MPI_INT, all, counts, places, MPI_INT, 0, WORLD);  // at: gather
  if (rank == 0) assert(all[2] == 1);
  return finish();
}
