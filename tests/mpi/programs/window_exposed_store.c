// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=data_race
//
// The target reads while its memory is exposed.
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
    MPI_Win_post(other, 0, win);
    if (EITHER(1, 0)) assert(x[0] >= 0);
    MPI_Win_wait(win);
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
