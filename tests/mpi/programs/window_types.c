// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=put
//
// What is put is not of the type that it is at the target.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  float other = 1;
  MPI_Win_fence(0, win);
  MPI_Put(EITHER((void*)&other, &rank), 1, EITHER(MPI_FLOAT, MPI_INT), 1 - rank, 0, 1, MPI_INT,
          win);  // at: put
  MPI_Win_fence(0, win);
  MPI_Win_free(&win);
  return finish();
}
