// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=deadlock at=sendrecv
//
// Each rank sends to the next and wants to hear from the next, too.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int in = 0;
  int out = rank;
  const int next = (rank + 1) % size;
  const int previous = (rank + size - 1) % size;
  MPI_Sendrecv(&out, 1, MPI_INT, next, 0, &in, 1, MPI_INT, EITHER(next, previous), 0, WORLD,
               IGNORE);  // at: sendrecv
  assert(in == previous);
  return finish();
}
