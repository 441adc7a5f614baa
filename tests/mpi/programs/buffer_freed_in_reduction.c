// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=memory_error at=free
//
// What a rank brings to a collective operation must be there until that is complete.
#include <stdlib.h>

#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int* x = calloc(1, sizeof *x);
  int sum = 0;
  MPI_Request request;
  MPI_Iallreduce(x, &sum, 1, MPI_INT, MPI_SUM, WORLD, &request);
  EITHER((void)0, MPI_Wait(&request, IGNORE));
  x = realloc(x, 2 * sizeof *x);  // at: free
  EITHER(MPI_Wait(&request, IGNORE), (void)0);
  free(x);
  return finish();
}
