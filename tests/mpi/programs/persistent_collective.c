// mazurka: ranks=3 verdict=verified executions=2
// broken: verdict=finding finding=misuse message="is active already"
//
// A collective operation that is described once and started twice: what is sent is what is there
// when it is started.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int value = 0;
  int sum = 0;
  MPI_Request request;
  MPI_Allreduce_init(&value, &sum, 1, MPI_INT, MPI_SUM, WORLD, MPI_INFO_NULL, &request);
  for (int round = 1; round <= 2; ++round) {
    value = rank + round;
    MPI_Start(&request);
    if (EITHER(1, 0)) MPI_Start(&request);
    MPI_Wait(&request, IGNORE);
    assert(sum == 3 + 3 * round);
  }
  MPI_Request_free(&request);
  return finish();
}
