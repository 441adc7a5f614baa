// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse message="is a null pointer" at=call
//
// There is no place for the request of a collective operation. That does not make it one that
// waits.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(WORLD, EITHER(NULL, &request));  // at: call
  MPI_Wait(&request, IGNORE);
  return finish();
}
