// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=misuse message="received at overlap" at=gather
//
// No place of the root is written twice. Where nothing comes, or what is there already, may be
// anywhere; and what is not the root's matters to nobody.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int all[4] = {-1, -1, -1, -1};
  const int counts[3] = {1, 2, 1};
  const int begins[3] = {0, 2, EITHER(3, 1)};
  const int nowhere[3] = {0, 0, 0};
  const int values[2] = {rank, rank};
  MPI_Gatherv(values, counts[rank], MPI_INT, all, counts, rank == 0 ? begins : nowhere, MPI_INT, 0,
              WORLD);  // at: gather
  if (rank == 0) assert(all[0] == 0 && all[1] == 2 && all[2] == 1 && all[3] == 1);
  const int some[3] = {0, 2, 0};
  const int same[3] = {1, 0, 1};
  MPI_Allgatherv(values, some[rank], MPI_INT, all, some, same, MPI_INT, WORLD);
  assert(all[0] == 1 && all[1] == 1);
  const int apart[3] = {0, 1, 3};
  all[0] = 7;
  MPI_Gatherv(rank == 0 ? MPI_IN_PLACE : values, counts[rank], MPI_INT, all, counts, apart, MPI_INT,
              0, WORLD);
  if (rank == 0) assert(all[0] == 7 && all[2] == 1 && all[3] == 2);
  return finish();
}
