// mazurka: ranks=2 verdict=verified
//
// All operations with requests.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  int got = -1;
  int old = -1;
  int three = 3;
  MPI_Request requests[3];
  x[1] = 5;
  MPI_Barrier(WORLD);
  MPI_Win_lock_all(0, win);
  MPI_Raccumulate(&three, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, MPI_SUM, win, &requests[0]);
  MPI_Rget_accumulate(&three, 1, MPI_INT, &old, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, MPI_SUM, win,
                      &requests[1]);
  MPI_Rget(&got, 1, MPI_INT, 1 - rank, 1, 1, MPI_INT, win, &requests[2]);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  assert(old == 3 && got == 5);
  MPI_Win_unlock_all(win);
  MPI_Barrier(WORLD);
  assert(x[0] == 6);
  MPI_Win_free(&win);
  return finish();
}
