// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse message="is a null pointer" at=call
//
// There is no place for the request.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Request request;
  int value = rank;
  MPI_Irecv(&value, 1, MPI_INT, rank, 0, WORLD, EITHER(NULL, &request));  // at: call
  MPI_Send(&rank, 1, MPI_INT, rank, 0, WORLD);
  MPI_Wait(&request, IGNORE);
  return finish();
}
