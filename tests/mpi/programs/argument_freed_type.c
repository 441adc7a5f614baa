// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=call
//
// A type is used after it was freed, by a copy of its handle.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  MPI_Datatype copy = pair;
  if (EITHER(1, 0)) MPI_Type_free(&pair);
  MPI_Bcast(x, 1, copy, 0, WORLD);  // at: call
  if (EITHER(0, 1)) MPI_Type_free(&pair);
  return finish();
}
