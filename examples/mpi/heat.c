// Heat in a rod, whose cells are shared out among the ranks: in every step neighbours exchange the
// cells at their borders, and all agree on how much has changed.
//
// With -DCARELESS everybody sends before it receives. That works as long as the messages fit into
// somebody's buffers, and hangs with a larger rod.
#include <assert.h>
#include <mpi.h>
#include <stdio.h>

enum { cells = 4, steps = 3 };

// The cells at both ends belong to the neighbours.
static double rod[cells + 2];
static double next[cells + 2];

#ifdef CARELESS
static void exchange(int left, int right) {
  MPI_Send(&rod[1], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD);
  MPI_Send(&rod[cells], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD);
  MPI_Recv(&rod[cells + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(&rod[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
#else
static void exchange(int left, int right) {
  MPI_Request requests[4];
  MPI_Irecv(&rod[0], 1, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&rod[cells + 1], 1, MPI_DOUBLE, right, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Isend(&rod[1], 1, MPI_DOUBLE, left, 0, MPI_COMM_WORLD, &requests[2]);
  MPI_Isend(&rod[cells], 1, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &requests[3]);
  MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
}
#endif

static double step(void) {
  double change = 0;
  for (int i = 1; i <= cells; ++i) {
    next[i] = rod[i] + 0.25 * (rod[i - 1] - 2 * rod[i] + rod[i + 1]);
    const double difference = next[i] > rod[i] ? next[i] - rod[i] : rod[i] - next[i];
    if (difference > change) change = difference;
  }
  for (int i = 1; i <= cells; ++i) rod[i] = next[i];
  return change;
}

int main(int argc, char** argv) {
  int rank;
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int left = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
  if (rank == 0) rod[1] = 100;

  double before = 100;
  for (int i = 0; i < steps; ++i) {
    exchange(left, right);
    const double change = step();
    double largest = 0;
    MPI_Allreduce(&change, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    assert(largest <= before);
    before = largest;
  }
  double own = 0;
  double all = 0;
  for (int i = 1; i <= cells; ++i) own += rod[i];
  MPI_Reduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%.2f degrees in all, changed by %.2f\n", all, before);
  MPI_Finalize();
  return 0;
}
