// mazurka: ranks=3 verdict=verified executions=4 options="--collectives both"
// broken: verdict=finding finding=data_race
//
// Other shapes, started together; the buffer belongs to the operation from its start to its end.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int seed = 0;
  int all[3];
  int parts[3];
  int part = 0;
  MPI_Request requests[4];
  MPI_Bcast_init(&seed, 1, MPI_INT, 1, WORLD, MPI_INFO_NULL, &requests[0]);
  MPI_Gather_init(&rank, 1, MPI_INT, all, 1, MPI_INT, 0, WORLD, MPI_INFO_NULL, &requests[1]);
  MPI_Scatter_init(parts, 1, MPI_INT, &part, 1, MPI_INT, 2, WORLD, MPI_INFO_NULL, &requests[2]);
  MPI_Barrier_init(WORLD, MPI_INFO_NULL, &requests[3]);
  for (int round = 0; round < 2; ++round) {
    if (rank == 1) seed = 7 + round;
    for (int place = 0; place < 3; ++place) parts[place] = round + place;
    MPI_Startall(4, requests);
    if (EITHER(rank == 1, 0)) seed = 3;
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    assert(seed == 7 + round && part == round + rank);
    if (rank == 0) assert(all[0] == 0 && all[1] == 1 && all[2] == 2);
  }
  for (int nth = 0; nth < 4; ++nth) MPI_Request_free(&requests[nth]);
  return finish();
}
