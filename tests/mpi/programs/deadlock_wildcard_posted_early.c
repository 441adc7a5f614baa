// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=deadlock at=named
//
// The wildcard that was posted first may take the message that the receive of rank 2 needs.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int first = 0;
  int second = 0;
  int x = rank;
  if (rank == 0) {
    MPI_Request request;
    MPI_Irecv(&first, 1, MPI_INT, EITHER(MPI_ANY_SOURCE, 1), 0, WORLD, &request);
    MPI_Recv(&second, 1, MPI_INT, 2, 0, WORLD, IGNORE);  // at: named
    MPI_Send(&x, 1, MPI_INT, 2, 0, WORLD);
    MPI_Recv(&second, 1, MPI_INT, 2, 0, WORLD, IGNORE);
    MPI_Wait(&request, IGNORE);
  } else if (rank == 1) {
    MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
    MPI_Recv(&x, 1, MPI_INT, 0, 0, WORLD, IGNORE);
    MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}
