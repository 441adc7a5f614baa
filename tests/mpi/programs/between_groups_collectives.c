// mazurka: ranks=5 verdict=verified executions=4 options="--collectives both"
// broken: verdict=finding finding=misuse
//
// What goes from one group to the other: a root names itself, and its own group nobody.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Comm own;
  MPI_Comm between;
  const int group = rank < 2 ? 0 : 1;  // two ranks, and three
  MPI_Comm_split(WORLD, group, 0, &own);
  MPI_Intercomm_create(own, 0, WORLD, group == 0 ? 2 : 0, 0, &between);
  int value = rank == 1 ? 7 : 0;
  const int root = group == 1 ? 1 : rank == 1 ? MPI_ROOT : EITHER(MPI_ROOT, MPI_PROC_NULL);
  MPI_Bcast(&value, 1, MPI_INT, root, between);
  assert(value == (rank == 0 ? 0 : 7));
  int sum = 0;
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, between);
  assert(sum == (group == 0 ? 2 + 3 + 4 : 0 + 1));
  int all[3] = {-1, -1, -1};
  MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT,
             group == 1 ? 0 : (rank == 0 ? MPI_ROOT : MPI_PROC_NULL), between);
  if (rank == 0) assert(all[0] == 2 && all[1] == 3 && all[2] == 4);
  if (rank != 0) assert(all[0] == -1);
  int others[3] = {-1, -1, -1};
  MPI_Allgather(&rank, 1, MPI_INT, others, 1, MPI_INT, between);
  assert(group == 0 ? others[0] == 2 && others[2] == 4 : others[0] == 0 && others[1] == 1);
  MPI_Barrier(between);
  MPI_Comm_free(&between);
  MPI_Comm_free(&own);
  return finish();
}
