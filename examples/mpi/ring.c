// A token goes round a ring; when it has come back, rank 0 tells everybody how often it was passed
// on.
//
// The bug: the receives do not say from whom. Rank 0 sends the number to all ranks itself, and the
// last one of the ring may get it while it still waits for the token, if rank 0 is sure too early:
// it does not wait until the token is back, but only until the first neighbour has it.
#include <assert.h>
#include <mpi.h>

#ifdef CAREFUL
#define FROM(rank) (rank)
#else
#define FROM(rank) MPI_ANY_SOURCE
#endif

int main(int argc, char** argv) {
  int rank;
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int next = (rank + 1) % size;
  const int previous = (rank + size - 1) % size;

  int token = 0;
  const int passes = size;
  if (rank == 0) {
    MPI_Request request;
    MPI_Irecv(&token, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, &request);
    int first = 1;
    MPI_Ssend(&first, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
    for (int other = 1; other < size; ++other) {
      MPI_Send(&passes, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    assert(token == passes);
  } else {
    int told;
    MPI_Recv(&token, 1, MPI_INT, FROM(previous), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(token == rank);
    ++token;
    MPI_Send(&token, 1, MPI_INT, next, 0, MPI_COMM_WORLD);
    MPI_Recv(&told, 1, MPI_INT, FROM(0), 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    assert(told == passes);
  }
  MPI_Finalize();
  return 0;
}
