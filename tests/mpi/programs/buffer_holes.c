// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=data_race at=write
//
// A vector has holes, which may be written.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[4] = {1, 2, 3, 4};
  MPI_Datatype column;
  MPI_Request request;
  MPI_Type_vector(2, 1, 2, MPI_INT, &column);
  MPI_Type_commit(&column);
  if (rank == 0) {
    MPI_Send(x, 1, column, 1, 0, WORLD);
  } else {
    MPI_Irecv(x, 1, column, 0, 0, WORLD, &request);
    x[EITHER(2, 1)] = 0;  // at: write
    MPI_Wait(&request, IGNORE);
    assert(x[2] == 3);
  }
  MPI_Type_free(&column);
  return finish();
}
