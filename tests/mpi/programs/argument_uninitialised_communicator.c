// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=call
//
// A communicator that nobody has made.
#include "pair.h"

static MPI_Comm none;

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Barrier(EITHER(none, WORLD));  // at: call
  (void)none;
  return finish();
}
