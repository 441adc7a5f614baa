// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=misuse at=put
//
// Operations with requests are for epochs that begin with a lock.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  int one = 1;
  MPI_Win win;
  MPI_Request request;
  MPI_Win_create(&x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  EITHER(MPI_Win_fence(0, win), MPI_Win_lock_all(0, win));
  if (rank == 0) {
    MPI_Rput(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win, &request);  // at: put
    MPI_Wait(&request, IGNORE);
  }
  EITHER(MPI_Win_fence(0, win), MPI_Win_unlock_all(win));
  MPI_Win_free(&win);
  return finish();
}
