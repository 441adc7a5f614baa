// mazurka: ranks=2 verdict=verified
//
// Types that are built differently and have the same signature fit together.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[4] = {rank, -1, rank, -1};
  MPI_Datatype column;
  MPI_Type_vector(2, 1, 2, MPI_INT, &column);
  MPI_Type_commit(&column);
  if (rank == 0) {
    MPI_Bcast(x, 1, column, 0, WORLD);
  } else {
    MPI_Bcast(x, 2, MPI_INT, 0, WORLD);
    assert(x[0] == 0 && x[1] == 0 && x[2] == 1);
  }
  MPI_Type_free(&column);
  return finish();
}
