// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=assertion at=second
//
// Of two receives the first is cancelled: a message goes to it if it comes before, else to the
// second.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 7;
  if (rank == 0) {
    int values[2] = {0, 0};
    MPI_Request requests[2];
    MPI_Status status;
    int cancelled = 0;
    for (int i = 0; i < 2; ++i) {
      MPI_Irecv(&values[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, WORLD, &requests[i]);
    }
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], &status);
    MPI_Test_cancelled(&status, &cancelled);
    if (!cancelled) MPI_Cancel(&requests[1]);
    MPI_Wait(&requests[1], IGNORE);
    assert(values[EITHER(1, cancelled)] == 7);  // at: second
  } else {
    MPI_Send(&x, 1, MPI_INT, 0, 0, WORLD);
  }
  return finish();
}
