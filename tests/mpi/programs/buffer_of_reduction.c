// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=data_race at=write
//
// What is being reduced is written.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = rank + 1;
  int sum = 0;
  MPI_Request request;
  MPI_Iallreduce(&x, &sum, 1, MPI_INT, MPI_SUM, WORLD, &request);
  if (EITHER(1, 0)) x = 5;  // at: write
  MPI_Wait(&request, IGNORE);
  x = 5;
  assert(sum == 3);
  return finish();
}
