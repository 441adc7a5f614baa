// mazurka: ranks=3 verdict=verified
//
// A matched probe takes the message out of everybody's reach.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {rank, rank};
  if (rank == 0) {
    for (int i = 0; i < 2; ++i) {
      MPI_Status status;
      MPI_Message message;
      int count = 0;
      MPI_Mprobe(MPI_ANY_SOURCE, 0, WORLD, &message, &status);
      MPI_Get_count(&status, MPI_INT, &count);
      MPI_Mrecv(x, count, MPI_INT, &message, &status);
      assert(x[0] == count && status.MPI_SOURCE == count);
    }
  } else {
    MPI_Send(x, rank, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}
