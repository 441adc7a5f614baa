// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=deadlock|leak|misuse
//
// One rank does not free the window.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  MPI_Win win;
  MPI_Win_create(&x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  if (EITHER(rank == 0, 1)) MPI_Win_free(&win);
  return finish();
}
