// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=all
//
// What one sends is not what the other takes.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  const int out[2] = {rank, rank};
  int in[4] = {0};
  const int ones[2] = {1, 1};
  const int counts[2] = {1, rank == 0 ? EITHER(2, 1) : 1};
  const int places[2] = {0, 1};
  MPI_Alltoallv(out, ones, places, MPI_INT, in, counts, places, MPI_INT, WORLD);  // at: all
  return finish();
}
