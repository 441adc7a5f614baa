// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=leak at=op
//
// An operation that is not freed.
#include "pair.h"

static void add(void* in, void* inout, int* length, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *length; ++i) ((int*)inout)[i] += ((int*)in)[i];
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Op op;
  int x = rank + 1;
  int sum = 0;
  MPI_Op_create(add, 1, &op);  // at: op
  MPI_Allreduce(&x, &sum, 1, MPI_INT, op, WORLD);
  assert(sum == 3);
  if (EITHER(0, 1)) MPI_Op_free(&op);
  return finish();
}
