// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=deadlock options='--buffering each'
//
// Rank 0 hears of rank 2 first only if the first send of rank 1 is buffered, and then waits for
// ever only if its own send, and the last of rank 1, are not. The twin is the same program, each
// of whose sends chooses.
#include "pair.h"

static void receive(int from, int tag) {
  int x = 0;
  MPI_Recv(&x, 1, MPI_INT, from, tag, WORLD, IGNORE);
}

static void send(int to, int tag) { MPI_Send(&rank, 1, MPI_INT, to, tag, WORLD); }

int main(int argc, char** argv) {
  start(&argc, &argv);
  if (rank == 0) {
    MPI_Status status;
    int x = 0;
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &status);
    if (status.MPI_SOURCE == 2) send(1, 2);
    receive(status.MPI_SOURCE == 2 ? 1 : 2, 0);
    receive(1, 1);
    if (status.MPI_SOURCE == 1) send(1, 2);
  } else if (rank == 1) {
    send(0, 0);
    send(2, 0);
    send(0, 1);
    receive(0, 2);
  } else {
    receive(1, 0);
    send(0, 0);
  }
  return finish();
}
