// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=deadlock at=ssend
//
// Nobody receives a synchronous send.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 7;
  if (rank == 0) MPI_Ssend(&x, 1, MPI_INT, 1, 0, WORLD);  // at: ssend
  if (rank == 1 && EITHER(0, 1)) MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
  return finish();
}
