// Rounds in each of which rank 0 has one choice: which of two messages it takes notice of first. So
// there are 2 to the power of ROUNDS executions, with any number of ranks; the others pass
// something on in a ring in every round.
#include <assert.h>
#include <mpi.h>

#ifndef ROUNDS
#define ROUNDS 8
#endif

static void choose(int size) {
  int values[2];
  MPI_Request requests[2];
  MPI_Irecv(&values[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&values[1], 1, MPI_INT, size - 1, 1, MPI_COMM_WORLD, &requests[1]);
  int index;
  MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  assert(values[0] == 1 && values[1] == size - 1);
}

int main(int argc, char** argv) {
  int rank;
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int next = (rank + 1) % size;
  const int previous = (rank + size - 1) % size;
  for (int round = 0; round < ROUNDS; ++round) {
    int passed;
    if (rank == 1) MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == size - 1) MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    if (rank == 0) choose(size);
    MPI_Sendrecv(&rank, 1, MPI_INT, next, 2, &passed, 1, MPI_INT, previous, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    assert(passed == previous);
  }
  MPI_Finalize();
  return 0;
}
