// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse message="received at overlap" at=receive
//
// What is sent may lie twice at one place, what is received may not; even if less comes.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  const int lengths[3] = {1, 1, 1};
  const int places[3] = {0, 2, EITHER(2, 1)};
  MPI_Datatype twice;  // the same value two times
  MPI_Datatype mixed;  // in another order
  MPI_Type_create_hvector(2, 1, 0, MPI_INT, &twice);
  MPI_Type_indexed(3, lengths, places, MPI_INT, &mixed);
  MPI_Type_commit(&twice);
  MPI_Type_commit(&mixed);
  int values[3] = {1, 2, 3};
  if (rank == 0) {
    MPI_Send(values, 1, twice, 1, 0, WORLD);
    MPI_Send(values, 3, MPI_INT, 1, 0, WORLD);
  } else {
    MPI_Recv(values, 1, mixed, 0, 0, WORLD, IGNORE);  // at: receive
    assert(values[0] == 1 && values[1] == 2 && values[2] == 1);
    MPI_Recv(values, 1, mixed, 0, 0, WORLD, IGNORE);
    assert(values[0] == 1 && values[1] == 3 && values[2] == 2);
    MPI_Recv(values, 1, twice, MPI_PROC_NULL, 0, WORLD, IGNORE);
    MPI_Recv(values, 0, twice, 0, 1, WORLD, IGNORE);
  }
  if (rank == 0) MPI_Send(NULL, 0, MPI_INT, 1, 1, WORLD);
  MPI_Type_free(&twice);
  MPI_Type_free(&mixed);
  return finish();
}
