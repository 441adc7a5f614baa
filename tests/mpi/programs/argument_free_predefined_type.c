// mazurka: ranks=1 verdict=verified
// broken: verdict=finding finding=misuse at=call
//
// A predefined type is freed.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Datatype type = MPI_INT;
  if (EITHER(0, 1)) {
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_commit(&type);
  }
  MPI_Type_free(&type);  // at: call
  return finish();
}
