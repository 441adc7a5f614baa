// mazurka: ranks=3 verdict=verified options=--message-races
// broken: verdict=finding finding=message_race at=anywhere options=--message-races
//
// A receive that names its sender has nothing to choose from.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  if (rank == 0) {
    for (int from = 1; from < 3; ++from) {
      MPI_Recv(&x, 1, MPI_INT, EITHER(MPI_ANY_SOURCE, from), 0, WORLD, IGNORE);  // at: anywhere
    }
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}
