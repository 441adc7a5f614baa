// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=gather
//
// What the root gathers must not lie where it goes to, unless that is said.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {rank, rank};
  const void* from = rank == 0 ? EITHER((void*)&x[0], MPI_IN_PLACE) : &x[0];
  MPI_Gather(from, 1, MPI_INT, x, 1, MPI_INT, 0, WORLD);  // at: gather
  assert(x[0] == rank && x[1] == 1);
  return finish();
}
