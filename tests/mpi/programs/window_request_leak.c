// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=leak at=get
//
// The request of a get is never completed.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  int got = 0;
  MPI_Request request;
  MPI_Win_lock_all(0, win);
  MPI_Rget(&got, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, win, &request);  // at: get
  if (EITHER(0, 1)) MPI_Wait(&request, IGNORE);
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  return finish();
}
