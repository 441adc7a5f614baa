// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=deadlock at=barrier
//
// Two barriers in two communicators, entered in different orders.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Comm other;
  MPI_Comm_dup(WORLD, &other);
  const int is_crossed = EITHER(rank == 1, 0);
  MPI_Barrier(is_crossed ? other : WORLD);  // at: barrier
  MPI_Barrier(is_crossed ? WORLD : other);
  MPI_Comm_free(&other);
  return finish();
}
