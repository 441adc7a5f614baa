// mazurka: ranks=1 verdict=verified
// broken: verdict=finding finding=misuse at=call
//
// MPI_Init is called twice.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int is_there = 0;
  MPI_Initialized(&is_there);
  assert(is_there);
  if (EITHER(1, !is_there)) MPI_Init(&argc, &argv);  // at: call
  return finish();
}
