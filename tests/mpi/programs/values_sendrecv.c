// mazurka: ranks=3 verdict=verified
//
// Everybody passes something on, and replaces what it had.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  const int next = (rank + 1) % size;
  const int previous = (rank + size - 1) % size;
  int x = rank;
  MPI_Status status;
  MPI_Sendrecv_replace(&x, 1, MPI_INT, next, 3, previous, 3, WORLD, &status);
  assert(x == previous && status.MPI_SOURCE == previous && status.MPI_TAG == 3);
  int nobody = 7;
  MPI_Recv(&nobody, 1, MPI_INT, MPI_PROC_NULL, 0, WORLD, &status);
  int count = -1;
  MPI_Get_count(&status, MPI_INT, &count);
  assert(nobody == 7 && count == 0 && status.MPI_SOURCE == MPI_PROC_NULL);
  assert(status.MPI_TAG == MPI_ANY_TAG);
  return finish();
}
