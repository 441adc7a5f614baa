// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse message="do not fit together" at=exchange
//
// What is received takes the place of what is sent, of the same types.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  struct {
    int number;
    double values[2];
  } mine = {rank, {rank + 0.25, rank + 0.5}};
  const MPI_Datatype types[2] = {rank == 0 ? MPI_INT : EITHER(MPI_LONG, MPI_DOUBLE),
                                 rank == 0 ? MPI_DOUBLE : MPI_INT};
  const int number_at = offsetof(__typeof__(mine), number);
  const int values_at = offsetof(__typeof__(mine), values);
  const int counts[2] = {rank == 0 ? 1 : 2, rank == 0 ? 2 : 1};
  const int begins[2] = {rank == 0 ? number_at : values_at, rank == 0 ? values_at : number_at};
  MPI_Request request;
  MPI_Alltoallw(MPI_IN_PLACE, NULL, NULL, NULL, &mine, counts, begins, types,
                WORLD);  // at: exchange
  assert(mine.number == rank && mine.values[0] == 1 - rank + 0.25);
  MPI_Ialltoallw(MPI_IN_PLACE, NULL, NULL, NULL, &mine, counts, begins, types, WORLD, &request);
  MPI_Wait(&request, IGNORE);
  assert(mine.number == rank && mine.values[1] == rank + 0.5);
  return finish();
}
