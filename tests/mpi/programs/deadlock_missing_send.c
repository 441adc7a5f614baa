// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=deadlock at=recv
//
// Nobody sends.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 7;
  if (rank == 0 && EITHER(0, 1)) MPI_Send(&x, 1, MPI_INT, 1, 0, WORLD);
  if (rank == 1) MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);  // at: recv
  return finish();
}
