// mazurka: ranks=2 verdict=verified
//
// To read what is being sent is allowed (since MPI 2.2).
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 1;
  MPI_Request request;
  if (rank == 0) {
    MPI_Isend(&x, 1, MPI_INT, 1, 0, WORLD, &request);
    assert(x == 1);
    MPI_Wait(&request, IGNORE);
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
  }
  return finish();
}
