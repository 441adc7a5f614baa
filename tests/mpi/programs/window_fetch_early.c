// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=data_race at=read
//
// What is fetched is read before the flush.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  int ticket = -1;
  int one = 1;
  MPI_Win_lock_all(0, win);
  MPI_Fetch_and_op(&one, &ticket, MPI_INT, 0, 0, MPI_SUM, win);
  if (EITHER(0, 1)) MPI_Win_flush(0, win);
  assert(ticket >= 0);  // at: read
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  return finish();
}
