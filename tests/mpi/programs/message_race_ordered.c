// mazurka: ranks=3 verdict=verified options=--message-races
// broken: verdict=verified message='depends on time'
//
// A receive from anywhere is no race if only one message can be there. The twin has a race, and
// nobody has asked for these: a note.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  if (rank == 0) {
    for (int nth = 1; nth < 3; ++nth) {
      MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE);
      if (EITHER(0, nth == 1)) MPI_Send(&x, 1, MPI_INT, 2, 1, WORLD);
    }
  } else {
    if (EITHER(0, rank == 2)) MPI_Recv(&x, 1, MPI_INT, 0, 1, WORLD, IGNORE);
    MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}
