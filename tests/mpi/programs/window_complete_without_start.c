// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=complete
//
// An epoch is ended that was not begun.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  MPI_Group all;
  MPI_Comm_group(WORLD, &all);
  MPI_Win_post(all, 0, win);
  if (EITHER(0, 1)) MPI_Win_start(all, 0, win);
  MPI_Win_complete(win);  // at: complete
  MPI_Win_wait(win);
  MPI_Group_free(&all);
  MPI_Win_free(&win);
  return finish();
}
