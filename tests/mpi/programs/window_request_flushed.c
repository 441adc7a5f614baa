// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=data_race at=write
//
// What a flush or the end of the epoch has completed leaves its buffer free, whether its request
// was waited for or not.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[4] = {1, 2, 3, 4};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  if (rank == 0) {
    int got = 0;
    int put = 5;
    int more = 6;
    int old = 0;
    MPI_Request requests[4];
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Rget(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &requests[0]);
    EITHER((void)0, MPI_Win_flush(1, win));
    assert(EITHER(1, got == 1));
    got = 2;  // at: write
    MPI_Rput(&put, 1, MPI_INT, 1, 1, 1, MPI_INT, win, &requests[1]);
    MPI_Win_flush_local(1, win);
    put = 2;
    MPI_Raccumulate(&more, 1, MPI_INT, 1, 2, 1, MPI_INT, MPI_SUM, win, &requests[2]);
    MPI_Rget_accumulate(&more, 1, MPI_INT, &old, 1, MPI_INT, 1, 3, 1, MPI_INT, MPI_SUM, win,
                        &requests[3]);
    MPI_Win_unlock(1, win);
    assert(old == 4);
    more = 2;
    old = 2;
    MPI_Waitall(4, requests, MPI_STATUSES_IGNORE);
    assert(got == 2 && old == 2);
  }
  MPI_Win_free(&win);
  if (rank == 1) assert(x[0] == 1 && x[1] == 5 && x[2] == 9 && x[3] == 10);
  return finish();
}
