// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=deadlock at=send
//
// A ring in which everybody sends first. Rank 0 of the correct one receives first.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int in = 0;
  int out = rank;
  const int next = (rank + 1) % size;
  const int previous = (rank + size - 1) % size;
  if (rank == 0 && EITHER(0, 1)) {
    MPI_Recv(&in, 1, MPI_INT, previous, 0, WORLD, IGNORE);
    MPI_Send(&out, 1, MPI_INT, next, 0, WORLD);
  } else {
    MPI_Send(&out, 1, MPI_INT, next, 0, WORLD);  // at: send
    MPI_Recv(&in, 1, MPI_INT, previous, 0, WORLD, IGNORE);
  }
  assert(in == previous);
  return finish();
}
