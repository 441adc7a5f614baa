// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=recv
//
// A derived type of ints received as one of floats; of ints in another layout it is right.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[4] = {1, 2, 3, 4};
  MPI_Datatype pair;
  MPI_Datatype column;
  MPI_Type_contiguous(2, EITHER(MPI_FLOAT, MPI_INT), &pair);
  MPI_Type_vector(2, 1, 2, MPI_INT, &column);
  MPI_Type_commit(&pair);
  MPI_Type_commit(&column);
  if (rank == 0) MPI_Send(x, 1, column, 1, 0, WORLD);
  if (rank == 1) {
    MPI_Recv(x, 1, pair, 0, 0, WORLD, IGNORE);  // at: recv
    assert(x[0] == 1 && x[1] == 3);
  }
  MPI_Type_free(&pair);
  MPI_Type_free(&column);
  return finish();
}
