// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=livelock|deadlock|leak|misuse
//
// Testing for what never comes.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  if (rank == 0) {
    int flag = 0;
    MPI_Request request;
    MPI_Irecv(&x, 1, MPI_INT, 1, EITHER(1, 0), WORLD, &request);
    while (!flag) MPI_Test(&request, &flag, IGNORE);
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}
