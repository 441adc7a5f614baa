// mazurka: ranks=5 verdict=verified
// broken: verdict=finding finding=misuse message="do not name the same group" at=create
//
// Parts of a communicator between two groups: those of both sides with the same colour, and those
// whom both sides name. Where one side has none there is nothing.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Comm own;
  MPI_Comm between;
  const int group = rank < 2 ? 0 : 1;  // two ranks, and three
  MPI_Comm_split(WORLD, group, 0, &own);
  MPI_Intercomm_create(own, 0, WORLD, group == 0 ? 2 : 0, 0, &between);

  // Rank 0 with 4 and 2, in this order; rank 1 has a colour of its own, and rank 3 none.
  MPI_Comm part;
  const int color = rank == 1 ? 2 : rank == 3 ? MPI_UNDEFINED : 1;
  MPI_Comm_split(between, color, -rank, &part);
  assert((part == MPI_COMM_NULL) == (rank == 1 || rank == 3));
  if (part != MPI_COMM_NULL) {
    int is_between, size, others, number;
    MPI_Comm_test_inter(part, &is_between);
    MPI_Comm_size(part, &size);
    MPI_Comm_rank(part, &number);
    MPI_Comm_remote_size(part, &others);
    assert(is_between && size == (group == 0 ? 1 : 2) && others == 3 - size);
    assert(number == (rank == 2 ? 1 : 0));
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, part);
    assert(sum == (group == 0 ? 6 : 0));
    int first = -1;
    MPI_Bcast(rank == 4 ? &rank : &first, 1, MPI_INT,
              group == 0 ? 0 : (rank == 4 ? MPI_ROOT : MPI_PROC_NULL), part);
    assert(rank != 0 || first == 4);
    MPI_Comm_free(&part);
  }

  // Rank 1 with 4 and 3.
  MPI_Group mine, chosen;
  MPI_Comm_group(between, &mine);
  const int ranks[2] = {2, EITHER(rank == 3 ? 0 : 1, 1)};
  const int one[1] = {1};
  MPI_Group_incl(mine, group == 0 ? 1 : 2, group == 0 ? one : ranks, &chosen);
  MPI_Comm_create(between, chosen, &part);  // at: create
  assert((part == MPI_COMM_NULL) == (rank == 0 || rank == 2));
  if (part != MPI_COMM_NULL) {
    int all[2] = {-1, -1};
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, part);
    assert(group == 0 ? all[0] == 4 && all[1] == 3 : all[0] == 1);
    MPI_Comm_free(&part);
  }
  // Nobody of the second group.
  MPI_Comm_create(between, group == 0 ? mine : MPI_GROUP_EMPTY, &part);
  assert(part == MPI_COMM_NULL);
  MPI_Group_free(&mine);
  MPI_Group_free(&chosen);
  MPI_Comm_free(&between);
  MPI_Comm_free(&own);
  return finish();
}
