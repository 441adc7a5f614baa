// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=create
//
// A window of a negative size.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  MPI_Win win;
  MPI_Win_create(&x, EITHER(-4, 4), sizeof(int), MPI_INFO_NULL, WORLD, &win);  // at: create
  MPI_Win_free(&win);
  return finish();
}
