// mazurka: ranks=4 verdict=verified
// broken: verdict=finding finding=deadlock at=second
//
// Two pairs that swap, and one rank that names the wrong one: half of the ranks are done.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  const int partner = rank ^ 1;
  const int wanted = rank == 3 ? EITHER(1, 2) : partner;
  if (rank % 2 == 0) {
    MPI_Send(&x, 1, MPI_INT, partner, 0, WORLD);
    MPI_Recv(&x, 1, MPI_INT, partner, 0, WORLD, IGNORE);
  } else {
    MPI_Recv(&x, 1, MPI_INT, wanted, 0, WORLD, IGNORE);  // at: second
    MPI_Send(&x, 1, MPI_INT, partner, 0, WORLD);
  }
  return finish();
}
