// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=accumulate
//
// An operation of the program, where only predefined ones are allowed.
#include "pair.h"

static void add(void* in, void* inout, int* length, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *length; ++i) ((int*)inout)[i] += ((int*)in)[i];
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  MPI_Op op;
  MPI_Op_create(add, 1, &op);
  MPI_Win_fence(0, win);
  MPI_Accumulate(&rank, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, EITHER(op, MPI_SUM),
                 win);  // at: accumulate
  MPI_Win_fence(0, win);
  assert(x[0] == 1 - rank);
  MPI_Op_free(&op);
  MPI_Win_free(&win);
  return finish();
}
