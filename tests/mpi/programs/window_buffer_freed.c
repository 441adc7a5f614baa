// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=memory_error at=free
//
// What is put must be there until the epoch ends.
#include <stdlib.h>

#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  int* one = calloc(1, sizeof *one);
  MPI_Win win;
  MPI_Win_create(&x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  MPI_Win_fence(0, win);
  if (rank == 0) MPI_Put(one, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
  EITHER((void)0, MPI_Win_fence(0, win));
  free(one);  // at: free
  EITHER(MPI_Win_fence(0, win), (void)0);
  MPI_Win_free(&win);
  return finish();
}
