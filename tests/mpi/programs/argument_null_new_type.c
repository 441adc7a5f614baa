// mazurka: ranks=1 verdict=verified
// broken: verdict=finding finding=misuse message="MPI_Type_contiguous: " at=call
//
// There is no place for the new type.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Datatype type;
  MPI_Type_contiguous(2, MPI_INT, EITHER(NULL, &type));  // at: call
  MPI_Type_free(&type);
  return finish();
}
