// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=leak at=here
//
// A description that is never given back.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Request request;
  MPI_Barrier_init(WORLD, MPI_INFO_NULL, &request);  // at: here
  MPI_Start(&request);
  MPI_Wait(&request, IGNORE);
  if (EITHER(0, 1)) MPI_Request_free(&request);
  return finish();
}
