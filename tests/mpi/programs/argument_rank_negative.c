// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=call
//
// A rank below zero is none; MPI_PROC_NULL is nobody, and right.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  MPI_Send(&x, 1, MPI_INT, EITHER(-17, MPI_PROC_NULL), 0, WORLD);  // at: call
  MPI_Recv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, WORLD, IGNORE);
  return finish();
}
