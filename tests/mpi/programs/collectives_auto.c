// mazurka: ranks=3 verdict=verified options="--collectives sync"
// broken: verdict=finding finding=assertion message="with collectives that wait only"
//
// Rank 0 need not wait in its broadcast, so that its message may be the first. By default that is
// tried, too, since rank 2 receives from anywhere; the twin is the same program, checked without an
// option.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int value = rank;
  int first = 0;
  int second = 0;
  if (rank == 1) MPI_Send(&rank, 1, MPI_INT, 2, 0, WORLD);
  if (rank == 2) MPI_Recv(&first, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE);
  MPI_Bcast(&value, 1, MPI_INT, 0, WORLD);
  if (rank == 0) MPI_Send(&rank, 1, MPI_INT, 2, 0, WORLD);
  if (rank == 2) MPI_Recv(&second, 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, IGNORE);
  if (rank == 2) assert(first == 1 && second == 0);
  return finish();
}
