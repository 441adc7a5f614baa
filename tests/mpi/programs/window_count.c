// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=get
//
// A get of a negative number of values.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  int got = 0;
  MPI_Win_fence(0, win);
  MPI_Get(&got, EITHER(-1, 1), MPI_INT, 1 - rank, 0, 1, MPI_INT, win);  // at: get
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  return finish();
}
