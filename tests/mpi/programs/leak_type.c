// mazurka: ranks=1 verdict=verified
// broken: verdict=finding finding=leak at=type
//
// A type that is not freed.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);  // at: type
  MPI_Type_commit(&pair);
  if (EITHER(0, 1)) MPI_Type_free(&pair);
  return finish();
}
