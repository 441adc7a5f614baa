// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=assertion
//
// Each rank has globals of its own.
#include "pair.h"

static int counter = 10;
static int* const place = &counter;

int main(int argc, char** argv) {
  start(&argc, &argv);
  static int calls;
  counter += rank;
  ++calls;
  MPI_Barrier(WORLD);
  assert(*place == EITHER(13, 10 + rank));
  assert(calls == 1);
  return finish();
}
