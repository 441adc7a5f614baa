// mazurka: ranks=1 verdict=verified
// broken: verdict=finding finding=misuse at=call
//
// A vector with blocks of negative length.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Datatype type;
  MPI_Type_vector(2, EITHER(-1, 1), 2, MPI_INT, &type);  // at: call
  MPI_Type_commit(&type);
  MPI_Type_free(&type);
  return finish();
}
