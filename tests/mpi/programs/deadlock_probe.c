// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=deadlock at=probe
//
// Probes for a message that is never sent.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 7;
  if (rank == 0) MPI_Send(&x, 1, MPI_INT, 1, 0, WORLD);
  if (rank == 1) {
    MPI_Status status;
    MPI_Probe(0, EITHER(1, 0), WORLD, &status);  // at: probe
    MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, &status);
  }
  return finish();
}
