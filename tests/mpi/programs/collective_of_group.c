// mazurka: ranks=3 verdict=verified
// broken: verdict=finding finding=deadlock at=create
//
// A communicator is made by the members of a group alone: by all of them.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  const int chosen[2] = {0, 2};
  MPI_Group all;
  MPI_Group some;
  MPI_Comm_group(WORLD, &all);
  MPI_Group_incl(all, 2, chosen, &some);
  if (rank == 0 || (rank == 2 && EITHER(0, 1))) {
    for (int i = 0; i < 2; ++i) {
      MPI_Comm part;
      int own;
      int sum = 0;
      MPI_Comm_create_group(WORLD, some, 7, &part);  // at: create
      MPI_Comm_rank(part, &own);
      assert(own == rank / 2);
      MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, part);
      assert(sum == 2);
      MPI_Comm_free(&part);
    }
  }
  MPI_Group_free(&some);
  MPI_Group_free(&all);
  return finish();
}
