// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse message="the source -1 is no rank" at=call
//
// What a search for a neighbour answers if there is none is not MPI_ANY_SOURCE, whatever number
// that is.
#include "pair.h"

static int neighbour(int of) { return of == 0 ? EITHER(-1, MPI_ANY_SOURCE) : of - 1; }

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  if (rank == 1) MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
  if (rank == 0) MPI_Recv(&x, 1, MPI_INT, neighbour(0), 0, WORLD, IGNORE);  // at: call
  return finish();
}
