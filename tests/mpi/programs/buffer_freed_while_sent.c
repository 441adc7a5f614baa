// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=memory_error at=free
//
// What is sent must be there until the send is complete.
#include <stdlib.h>

#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int* x = calloc(10, sizeof *x);
  if (rank == 0) {
    MPI_Request request;
    MPI_Isend(x, 10, MPI_INT, 1, 0, WORLD, &request);
    EITHER((void)0, MPI_Wait(&request, IGNORE));
    free(x);  // at: free
    EITHER(MPI_Wait(&request, IGNORE), (void)0);
  } else {
    MPI_Recv(x, 10, MPI_INT, 0, 0, WORLD, IGNORE);
    free(x);
  }
  return finish();
}
