// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse message="is a null pointer" at=call
//
// There is no place for what a test answers.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Request request;
  int value = -1;
  int done = 0;
  MPI_Isend(&rank, 1, MPI_INT, rank, 0, WORLD, &request);
  MPI_Recv(&value, 1, MPI_INT, rank, 0, WORLD, IGNORE);
  MPI_Test(&request, EITHER(NULL, &done), IGNORE);  // at: call
  assert(done);
  return finish();
}
