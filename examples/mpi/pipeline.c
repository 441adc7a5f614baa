// Items go through a line of ranks; each works on one while the next is on its way (two buffers,
// and persistent requests).
//
// With -DONE_BUFFER the next item is received into the one that is being worked on.
#include <assert.h>
#include <mpi.h>

enum { items = 4 };

#ifdef ONE_BUFFER
#define PLACE(item) 0
#else
#define PLACE(item) ((item) % 2)
#endif

static int buffers[2];

int main(int argc, char** argv) {
  int rank;
  int size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  if (rank == 0) {
    for (int item = 0; item < items; ++item) {
      MPI_Send(&item, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
  } else {
    MPI_Request requests[2];
    for (int i = 0; i < 2; ++i) {
      MPI_Recv_init(&buffers[PLACE(i)], 1, MPI_INT, rank - 1, 0, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Start(&requests[0]);
    for (int item = 0; item < items; ++item) {
      MPI_Wait(&requests[item % 2], MPI_STATUS_IGNORE);
      if (item + 1 < items) MPI_Start(&requests[(item + 1) % 2]);
      int* own = &buffers[PLACE(item)];
      *own += 10;
      assert(*own == item + 10 * rank);
      if (rank < size - 1) MPI_Send(own, 1, MPI_INT, rank + 1, 0, MPI_COMM_WORLD);
    }
    for (int i = 0; i < 2; ++i) MPI_Request_free(&requests[i]);
  }
  MPI_Finalize();
  return 0;
}
