// mazurka: ranks=2 verdict=finding finding=deadlock message="2 findings"
// mazurka: options="--keep-going --buffering zero"
//
// Which of the two sends waits for ever depends on the test; the other rank is in the same barrier
// both times.
#include <mpi.h>

int main(int argc, char** argv) {
  int rank;
  int x;
  int flag = 0;
  MPI_Request requests[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Isend(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &requests[1]);
  } else {
    MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Test(&requests[1], &flag, MPI_STATUS_IGNORE);
    if (flag) {
      MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
      MPI_Send(&rank, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
}
