// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=leak at=create
//
// A window is never freed.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  MPI_Win win;
  MPI_Win_create(&x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);  // at: create
  if (EITHER(0, 1)) MPI_Win_free(&win);
  return finish();
}
