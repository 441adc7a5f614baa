// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=deadlock at=kept
//
// A synchronous send is complete when its message is received, not when a probe has kept it.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank;
  int y = rank;
  if (rank == 0) {
    MPI_Message message;
    MPI_Mprobe(1, 0, WORLD, &message, IGNORE);
    if (EITHER(0, 1)) MPI_Mrecv(&x, 1, MPI_INT, &message, IGNORE);
    MPI_Recv(&y, 1, MPI_INT, 1, 1, WORLD, IGNORE);
    if (EITHER(1, 0)) MPI_Mrecv(&x, 1, MPI_INT, &message, IGNORE);
  } else {
    MPI_Ssend(&x, 1, MPI_INT, 0, 0, WORLD);  // at: kept
    MPI_Send(&y, 1, MPI_INT, 0, 1, WORLD);
  }
  MPI_Finalize();
}
