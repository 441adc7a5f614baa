// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=misuse at=create
//
// All members of a new communicator name the same group.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  const int pair[2] = {0, 1};
  const int one[1] = {2};
  MPI_Group all;
  MPI_Group some;
  MPI_Comm part;
  MPI_Comm_group(WORLD, &all);
  MPI_Group_incl(all, rank == 2 ? 1 : EITHER(rank + 1, 2), rank == 2 ? one : pair, &some);
  MPI_Comm_create(WORLD, some, &part);  // at: create
  if (part != MPI_COMM_NULL) MPI_Comm_free(&part);
  MPI_Group_free(&some);
  MPI_Group_free(&all);
  return finish();
}
