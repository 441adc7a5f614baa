// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse message="it is truncated" at=first
//
// A message that is longer than the buffer is an error of MPI, which can be returned: what fits is
// there, the calls that wait for several say which, and the program's own handler hears of it.
#include "pair.h"

static int heard;
static void hear(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  assert(*code == MPI_ERR_TRUNCATE || *code == MPI_ERR_IN_STATUS);
  ++heard;
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {5, 6};
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(hear, &handler);
  if (EITHER(0, 1)) MPI_Comm_set_errhandler(WORLD, MPI_ERRORS_RETURN);
  if (rank == 0) {
    for (int times = 0; times < 3; ++times) MPI_Send(x, 2, MPI_INT, 1, 0, WORLD);
    MPI_Send(x, 1, MPI_INT, 1, 1, WORLD);
    MPI_Send(x, 2, MPI_INT, 1, 0, WORLD);
  } else {
    MPI_Request requests[2];
    MPI_Status statuses[2];
    int got[2] = {0, 0};
    assert(MPI_Recv(got, 1, MPI_INT, 0, 0, WORLD, IGNORE) == MPI_ERR_TRUNCATE);  // at: first
    assert(got[0] == 5 && got[1] == 0);
    MPI_Irecv(got, 1, MPI_INT, 0, 0, WORLD, &requests[0]);
    assert(MPI_Wait(&requests[0], IGNORE) == MPI_ERR_TRUNCATE);
    MPI_Irecv(&got[0], 1, MPI_INT, 0, 0, WORLD, &requests[0]);
    MPI_Irecv(&got[1], 1, MPI_INT, 0, 1, WORLD, &requests[1]);
    assert(MPI_Waitall(2, requests, statuses) == MPI_ERR_IN_STATUS);
    assert(statuses[0].MPI_ERROR == MPI_ERR_TRUNCATE && statuses[1].MPI_ERROR == MPI_SUCCESS);
    assert(got[1] == 5);
    MPI_Comm_set_errhandler(WORLD, handler);
    assert(MPI_Recv(got, 1, MPI_INT, 0, 0, WORLD, IGNORE) == MPI_ERR_TRUNCATE);
    assert(heard == 1);
  }
  MPI_Errhandler_free(&handler);
  return finish();
}
