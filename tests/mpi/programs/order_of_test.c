// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=assertion
//
// A test need not succeed.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  if (rank == 0) {
    int flag = 0;
    MPI_Request request;
    MPI_Irecv(&x, 1, MPI_INT, 1, 0, WORLD, &request);
    MPI_Test(&request, &flag, IGNORE);
    assert(EITHER(flag, flag == 0 || x == 1));
    MPI_Wait(&request, IGNORE);
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}
