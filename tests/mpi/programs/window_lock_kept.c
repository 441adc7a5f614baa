// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=deadlock|misuse at=here
//
// A lock is kept while another rank is waited for, who wants it.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);  // at: here
  if (EITHER(0, 1)) MPI_Win_unlock(0, win);
  MPI_Barrier(WORLD);
  if (EITHER(1, 0)) MPI_Win_unlock(0, win);
  MPI_Win_free(&win);
  return finish();
}
