// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=deadlock at=send
//
// A rank sends to itself before it receives: only a buffer makes that work.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int in = 0;
  int out = 5;
  MPI_Request request = MPI_REQUEST_NULL;
  if (EITHER(1, 0)) {
    MPI_Send(&out, 1, MPI_INT, rank, 0, WORLD);  // at: send
  } else {
    MPI_Isend(&out, 1, MPI_INT, rank, 0, WORLD, &request);
  }
  MPI_Recv(&in, 1, MPI_INT, rank, 0, WORLD, IGNORE);
  MPI_Wait(&request, IGNORE);
  assert(in == 5);
  return finish();
}
