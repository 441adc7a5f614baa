// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse message="is not MPI_STATUS_IGNORE" at=call
//
// A null pointer is no status, and not what says that none is wanted.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  MPI_Request none = MPI_REQUEST_NULL;
  MPI_Waitall(0, &none, NULL);  // none is filled in
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, 0, WORLD);
  if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, EITHER(NULL, IGNORE));  // at: call
  return finish();
}
