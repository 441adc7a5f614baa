// mazurka: ranks=1 verdict=verified
// broken: verdict=finding finding=misuse at=call
//
// MPI_Finalize is called twice.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int is_over = 0;
  MPI_Finalize();
  MPI_Finalized(&is_over);
  assert(is_over);
  if (EITHER(1, !is_over)) MPI_Finalize();  // at: call
  return 0;
}
