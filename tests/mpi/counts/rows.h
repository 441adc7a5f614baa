/* One program per row of the table of counts (counts.py): -DROW=name chooses it. */
#include <mpi.h>

enum { NOBODY = MPI_PROC_NULL, ANY = MPI_ANY_SOURCE };

static int rank;
static int size;
static int value;

static inline void send_to(int destination) {
  MPI_Send(&rank, 1, MPI_INT, destination, 0, MPI_COMM_WORLD);
}
static inline int receive_from(int source) {
  MPI_Status status;
  MPI_Recv(&value, 1, MPI_INT, source, 0, MPI_COMM_WORLD, &status);
  return status.MPI_SOURCE;
}
