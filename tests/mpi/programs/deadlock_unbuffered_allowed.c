// mazurka: ranks=2 verdict=verified options="--buffering infinite"
// broken: verdict=finding finding=deadlock options="--buffering zero"
//
// The same program: with buffers it is correct, without it is not.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int in = 0;
  int out = rank;
  MPI_Send(&out, 1, MPI_INT, 1 - rank, 0, WORLD);
  MPI_Recv(&in, 1, MPI_INT, 1 - rank, 0, WORLD, IGNORE);
  assert(in == 1 - rank);
  return finish();
}
