// mazurka: ranks=4 verdict=verified
//
// Halves, ranks in them, groups, and messages that stay apart.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  MPI_Comm half;
  MPI_Comm_split(WORLD, rank / 2, -rank, &half);
  int in_half = -1;
  int of_half = 0;
  MPI_Comm_rank(half, &in_half);
  MPI_Comm_size(half, &of_half);
  assert(of_half == 2 && in_half == 1 - rank % 2);
  int x = rank;
  MPI_Bcast(&x, 1, MPI_INT, 0, half);
  assert(x == 2 * (rank / 2) + 1);

  MPI_Group all;
  MPI_Group even;
  MPI_Comm evens;
  const int chosen[2] = {0, 2};
  MPI_Comm_group(WORLD, &all);
  MPI_Group_incl(all, 2, chosen, &even);
  int in_even = -1;
  MPI_Group_rank(even, &in_even);
  assert(in_even == (rank % 2 == 0 ? rank / 2 : MPI_UNDEFINED));
  MPI_Comm_create(WORLD, even, &evens);
  assert((evens == MPI_COMM_NULL) == (rank % 2 == 1));
  if (evens != MPI_COMM_NULL) {
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, evens);
    assert(sum == 2);
    int compared = 0;
    MPI_Comm_compare(evens, WORLD, &compared);
    assert(compared == MPI_UNEQUAL);
    MPI_Comm_free(&evens);
  }
  MPI_Group_free(&even);
  MPI_Group_free(&all);

  MPI_Comm copy;
  MPI_Comm_dup(WORLD, &copy);
  if (rank == 0) {
    int first = 1;
    int second = 2;
    MPI_Request requests[2];
    MPI_Isend(&first, 1, MPI_INT, 1, 0, WORLD, &requests[0]);
    MPI_Isend(&second, 1, MPI_INT, 1, 0, copy, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  } else if (rank == 1) {
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, copy, IGNORE);
    assert(x == 2);
    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, WORLD, IGNORE);
    assert(x == 1);
  }
  MPI_Comm_free(&copy);
  MPI_Comm_free(&half);
  return finish();
}
