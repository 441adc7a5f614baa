// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=assertion
//
// A test of an exposure need not succeed; a loop of them does at last.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  MPI_Group all;
  MPI_Group other;
  const int others[1] = {1 - rank};
  MPI_Comm_group(WORLD, &all);
  MPI_Group_incl(all, 1, others, &other);
  if (rank == 0) {
    int flag = 0;
    MPI_Win_post(other, 0, win);
    MPI_Win_test(win, &flag);
    assert(EITHER(flag, 1));
    while (!flag) MPI_Win_test(win, &flag);
    assert(x[0] == 1);
  } else {
    MPI_Win_start(other, 0, win);
    MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_complete(win);
  }
  MPI_Group_free(&other);
  MPI_Group_free(&all);
  MPI_Win_free(&win);
  return finish();
}
