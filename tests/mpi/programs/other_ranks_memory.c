// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse|memory_error at=use
//
// A pointer is sent and used by another rank.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 5;
  int* pointer = &x;
  if (rank == 0) {
    MPI_Send(&pointer, sizeof pointer, MPI_BYTE, 1, 0, WORLD);
    MPI_Barrier(WORLD);
  } else {
    MPI_Recv(&pointer, sizeof pointer, MPI_BYTE, 0, 0, WORLD, IGNORE);
    if (EITHER(1, 0)) *pointer = 6;  // at: use
    MPI_Barrier(WORLD);
  }
  return finish();
}
