// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=put
//
// Errors of a window that are returned are the program's business.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  if (EITHER(0, 1)) MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
  MPI_Win_fence(0, win);
  int code = MPI_Put(&rank, 1, MPI_INT, 5, 0, 1, MPI_INT, win);  // at: put
  int kind;
  MPI_Error_class(code, &kind);
  assert(kind == MPI_ERR_RANK);
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  return finish();
}
