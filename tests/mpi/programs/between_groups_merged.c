// mazurka: ranks=4 verdict=verified executions=2
// broken: verdict=finding finding=misuse message="do not agree whether they are high"
//
// Two groups become one; those who say that they are high come last.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Comm own;
  MPI_Comm between;
  MPI_Comm merged;
  int number;
  const int group = rank < 2 ? 0 : 1;
  MPI_Comm_split(WORLD, group, 0, &own);
  MPI_Intercomm_create(own, 1, WORLD, group == 0 ? 3 : 1, 0, &between);
  MPI_Intercomm_merge(between, EITHER(rank == 0, group == 0), &merged);
  MPI_Comm_rank(merged, &number);
  assert(number == (rank + 2) % 4);
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, merged);
  assert(sum == 6);
  MPI_Comm_free(&merged);
  MPI_Comm_free(&between);
  MPI_Comm_free(&own);
  return finish();
}
