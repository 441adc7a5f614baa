// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=wait
//
// A request that nobody has made.
#include "pair.h"

static MPI_Request request;

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  if (EITHER(0, 1)) request = MPI_REQUEST_NULL;
  if (rank == 1) MPI_Irecv(&x, 1, MPI_INT, 0, 0, WORLD, &request);
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, 0, WORLD);
  MPI_Wait(&request, IGNORE);  // at: wait
  return finish();
}
