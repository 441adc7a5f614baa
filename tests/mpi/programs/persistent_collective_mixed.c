// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse message="call different operations"
//
// One that is described beforehand does not meet one that is called.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int value = 0;
  MPI_Request request;
  MPI_Bcast_init(&value, 1, MPI_INT, 0, WORLD, MPI_INFO_NULL, &request);
  if (EITHER(rank, 0) == 0) {
    MPI_Start(&request);
    MPI_Wait(&request, IGNORE);
  } else {
    MPI_Bcast(&value, 1, MPI_INT, 0, WORLD);
  }
  MPI_Request_free(&request);
  return finish();
}
