// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=memory_error at=free
//
// A buffer that was attached is not the program's until it is detached, or all is over.
#include <stdlib.h>

#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  const int size = MPI_BSEND_OVERHEAD + 64;
  char* space = malloc(size);
  int x = 1;
  MPI_Buffer_attach(space, size);
  if (rank == 0) {
    MPI_Bsend(&x, 1, MPI_INT, 1, 0, WORLD);
    void* detached;
    int length;
    EITHER((void)0, MPI_Buffer_detach(&detached, &length));
    free(space);  // at: free
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
  }
  const int code = finish();
  if (rank == 1) free(space);
  return code;
}
