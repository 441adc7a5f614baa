// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=fence
//
// A window is used after it was freed.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  MPI_Win win;
  MPI_Win_create(&x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  MPI_Win copy = win;
  if (EITHER(1, 0)) MPI_Win_free(&win);
  MPI_Win_fence(0, copy);  // at: fence
  if (EITHER(0, 1)) MPI_Win_free(&win);
  return finish();
}
