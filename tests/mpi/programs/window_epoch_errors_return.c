// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=again
//
// What is wrong with an epoch is an error of the window, too, and changes nothing if it is
// returned.
#include "pair.h"

static void is_error(int code, int expected) {
  int kind = MPI_SUCCESS;
  MPI_Error_class(code, &kind);
  assert(kind == expected);
}

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  if (EITHER(0, 1)) MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
  is_error(MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win), MPI_ERR_RMA_SYNC);  // at: again
  is_error(MPI_Win_lock_all(0, win), MPI_ERR_RMA_SYNC);
  is_error(MPI_Win_fence(0, win), MPI_ERR_RMA_SYNC);
  is_error(MPI_Win_unlock(1, win), MPI_ERR_RMA_SYNC);
  is_error(MPI_Win_unlock_all(win), MPI_ERR_RMA_SYNC);
  is_error(MPI_Win_flush(1, win), MPI_ERR_RMA_SYNC);
  is_error(MPI_Put(&rank, 1, MPI_INT, 1, 0, 1, MPI_INT, win), MPI_ERR_RMA_SYNC);
  is_error(MPI_Win_complete(win), MPI_ERR_RMA_SYNC);
  is_error(MPI_Win_wait(win), MPI_ERR_RMA_SYNC);
  is_error(MPI_Win_attach(win, x, sizeof x), MPI_ERR_RMA_FLAVOR);
  MPI_Win same = win;
  is_error(MPI_Win_free(&same), MPI_ERR_RMA_SYNC);
  assert(same == win);
  MPI_Win_unlock(0, win);
  MPI_Win_free(&win);
  return finish();
}
