// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=again
//
// A message that a probe has taken is received once.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {rank, 5};
  if (rank == 0) {
    int flag = 0;
    MPI_Message message;
    MPI_Message copy;
    MPI_Request request;
    while (!flag) MPI_Improbe(1, 0, WORLD, &flag, &message, IGNORE);
    copy = message;
    MPI_Imrecv(&x[0], 1, MPI_INT, &message, &request);
    MPI_Wait(&request, IGNORE);
    assert(x[0] == 1 && message == MPI_MESSAGE_NULL);
    if (EITHER(1, 0)) MPI_Mrecv(&x[0], 1, MPI_INT, &copy, IGNORE);  // at: again
  } else {
    MPI_Send(&x[0], 1, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}
