// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=put
//
// The type at the target was not committed.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  int two[2] = {1, 2};
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  if (EITHER(0, 1)) MPI_Type_commit(&pair);
  MPI_Win_fence(0, win);
  MPI_Put(two, 2, MPI_INT, 1 - rank, 0, 1, pair, win);  // at: put
  MPI_Win_fence(0, win);
  assert(x[0] == 1 && x[1] == 2);
  MPI_Type_free(&pair);
  MPI_Win_free(&win);
  return finish();
}
