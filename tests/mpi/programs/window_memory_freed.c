// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=memory_error at=free
//
// The memory of a window must be there until that is freed.
#include <stdlib.h>

#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int* x = calloc(10, sizeof *x);
  MPI_Win win;
  MPI_Win_create(x, 10 * sizeof *x, sizeof *x, MPI_INFO_NULL, WORLD, &win);
  EITHER((void)0, MPI_Win_free(&win));
  free(x);  // at: free
  EITHER(MPI_Win_free(&win), (void)0);
  return finish();
}
