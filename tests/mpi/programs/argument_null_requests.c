// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse message="is a null pointer" at=call
//
// Nothing to wait for needs no place; one request does.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Waitall(EITHER(1, 0), NULL, MPI_STATUSES_IGNORE);  // at: call
  return finish();
}
