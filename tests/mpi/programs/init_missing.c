// mazurka: ranks=1 verdict=verified
// broken: verdict=finding finding=misuse at=call
//
// MPI is used before MPI_Init.
#include "pair.h"

int main(int argc, char** argv) {
  if (EITHER(0, 1)) MPI_Init(&argc, &argv);
  MPI_Comm_rank(WORLD, &rank);  // at: call
  if (EITHER(1, 0)) MPI_Init(&argc, &argv);
  return finish();
}
