// mazurka: ranks=2 verdict=verified
//
// Testing until it succeeds is waiting.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  if (rank == 0) {
    int flag = 0;
    MPI_Request request;
    MPI_Irecv(&x, 1, MPI_INT, 1, 0, WORLD, &request);
    while (!flag) MPI_Test(&request, &flag, IGNORE);
    assert(x == 1);
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}
