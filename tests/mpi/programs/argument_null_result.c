// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=call
//
// There is no place for the answer.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int again = 0;
  MPI_Comm_rank(WORLD, EITHER(NULL, &again));  // at: call
  assert(again == rank);
  return finish();
}
