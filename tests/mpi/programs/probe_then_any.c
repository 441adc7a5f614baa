// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=misuse at=recv
//
// What was probed is not what a wildcard receives.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {rank, rank};
  if (rank == 0) {
    for (int i = 0; i < 2; ++i) {
      MPI_Status status;
      int count = 0;
      MPI_Probe(MPI_ANY_SOURCE, 0, WORLD, &status);
      MPI_Get_count(&status, MPI_INT, &count);
      MPI_Recv(x, count, MPI_INT, EITHER(MPI_ANY_SOURCE, status.MPI_SOURCE), 0, WORLD,
               IGNORE);  // at: recv
    }
  } else {
    MPI_Send(x, rank, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}
