// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse message="received at overlap" at=receive
//
// Each value begins before the end of the one before. That is right for one of them, and for those
// that lie in the gaps of each other.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Datatype close, column, next;
  MPI_Type_create_resized(MPI_INT, 0, 2, &close);
  MPI_Type_vector(3, 1, 4, MPI_INT, &column);
  MPI_Type_create_resized(column, 0, EITHER(0, sizeof(int)), &next);
  MPI_Type_commit(&close);
  MPI_Type_commit(&next);
  int values[12];
  for (int at = 0; at < 12; ++at) values[at] = at;
  if (rank == 0) {
    MPI_Send(values, 2, close, 1, 0, WORLD);
    MPI_Send(values, 1, MPI_INT, 1, 0, WORLD);
    MPI_Send(values, 12, MPI_INT, 1, 0, WORLD);
  } else {
    int pair[2] = {0, 0};
    MPI_Recv(pair, 2, MPI_INT, 0, 0, WORLD, IGNORE);
    MPI_Recv(pair, 1, close, 0, 0, WORLD, IGNORE);
    MPI_Recv(values, 4, next, 0, 0, WORLD, IGNORE);  // at: receive
    assert(values[1] == 3 && values[4] == 1 && values[11] == 11);
  }
  MPI_Type_free(&close);
  MPI_Type_free(&column);
  MPI_Type_free(&next);
  return finish();
}
