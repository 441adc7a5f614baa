// mazurka: ranks=2 verdict=verified
//
// Packed data can be received as what it is.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  char space[64];
  int position = 0;
  int number = 7;
  double weight = 0.5;
  if (rank == 0) {
    MPI_Pack(&number, 1, MPI_INT, space, sizeof space, &position, WORLD);
    MPI_Pack(&weight, 1, MPI_DOUBLE, space, sizeof space, &position, WORLD);
    MPI_Send(space, position, MPI_PACKED, 1, 0, WORLD);
  } else {
    number = 0;
    weight = 0;
    MPI_Recv(space, sizeof space, MPI_PACKED, 0, 0, WORLD, IGNORE);
    MPI_Unpack(space, sizeof space, &position, &number, 1, MPI_INT, WORLD);
    MPI_Unpack(space, sizeof space, &position, &weight, 1, MPI_DOUBLE, WORLD);
    assert(number == 7 && weight == 0.5);
  }
  return finish();
}
