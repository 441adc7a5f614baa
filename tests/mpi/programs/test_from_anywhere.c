// mazurka: ranks=3 verdict=verified options='--buffering infinite' executions=4
// broken: verdict=finding finding=assertion at=whose
//
// A test that succeeds may have found either message, and a test that fails hides neither.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  if (rank == 0) {
    int flag = 0;
    MPI_Request request;
    MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &request);
    MPI_Test(&request, &flag, IGNORE);
    assert(!flag || EITHER(x == 1, x == 1 || x == 2));  // at: whose
    if (!flag) MPI_Wait(&request, IGNORE);
    MPI_Recv(&x, 1, MPI_INT, x == 1 ? 2 : 1, 0, WORLD, IGNORE);
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}
