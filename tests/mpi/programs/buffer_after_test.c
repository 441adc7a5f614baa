// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=data_race at=read
//
// The buffer is read although the test has failed.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  int flag = 0;
  MPI_Request request;
  if (rank == 0) {
    x = 7;
    MPI_Send(&x, 1, MPI_INT, 1, 0, WORLD);
  } else {
    MPI_Irecv(&x, 1, MPI_INT, 0, 0, WORLD, &request);
    MPI_Test(&request, &flag, IGNORE);
    if (flag || EITHER(1, 0)) assert(x == 0 || x == 7);  // at: read
    if (!flag) MPI_Wait(&request, IGNORE);
    assert(x == 7);
  }
  return finish();
}
