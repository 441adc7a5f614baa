// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=put
//
// Memory is attached to a window when it is needed.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  MPI_Win win;
  MPI_Aint here;
  MPI_Aint there = 0;
  MPI_Win_create_dynamic(MPI_INFO_NULL, WORLD, &win);
  if (EITHER(0, 1)) MPI_Win_attach(win, &x, sizeof x);
  MPI_Get_address(&x, &here);
  MPI_Sendrecv(&here, 1, MPI_AINT, 1 - rank, 0, &there, 1, MPI_AINT, 1 - rank, 0, WORLD, IGNORE);
  MPI_Win_fence(0, win);
  MPI_Put(&rank, 1, MPI_INT, 1 - rank, there, 1, MPI_INT, win);  // at: put
  MPI_Win_fence(0, win);
  assert(x == 1 - rank);
  if (EITHER(0, 1)) MPI_Win_detach(win, &x);
  MPI_Win_free(&win);
  return finish();
}
