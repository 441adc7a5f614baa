// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse|crash at=call
//
// There is no place for the request.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  if (rank == 0) {
    MPI_Request request;
    MPI_Isend(&x, 1, MPI_INT, 1, 0, WORLD, EITHER(NULL, &request));  // at: call
    MPI_Wait(&request, IGNORE);
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
  }
  return finish();
}
