// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=data_race at=write
//
// The buffer of a persistent send is written while it is active.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  MPI_Request request;
  if (rank == 0) {
    MPI_Send_init(&x, 1, MPI_INT, 1, 0, WORLD, &request);
    for (int i = 0; i < 2; ++i) {
      if (EITHER(0, 1)) x = i;
      MPI_Start(&request);
      if (EITHER(1, 0)) x = i;  // at: write
      MPI_Wait(&request, IGNORE);
    }
    MPI_Request_free(&request);
  } else {
    for (int i = 0; i < 2; ++i) {
      MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
      if (EITHER(0, 1)) assert(x == i);
    }
  }
  return finish();
}
