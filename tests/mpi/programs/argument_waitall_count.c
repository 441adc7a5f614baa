// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=wait
//
// One request, waited for as if there were two.
#include "pair.h"

static MPI_Request requests[2];

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  if (rank == 0) MPI_Isend(&x, 1, MPI_INT, 1, 0, WORLD, &requests[0]);
  if (rank == 1) MPI_Irecv(&x, 1, MPI_INT, 0, 0, WORLD, &requests[0]);
  MPI_Waitall(EITHER(2, 1), requests, MPI_STATUSES_IGNORE);  // at: wait
  return finish();
}
