// mazurka: ranks=3 verdict=verified
//
// Rank 1 sends while it has the lock, but the others ask for it only when they know that it is
// over; and a lock that is shared waits for nobody.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x = 0;
  int got = 0;
  MPI_Win win;
  MPI_Win_create(&x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  if (rank == 1) {
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Send(NULL, 0, MPI_INT, 2, 0, WORLD);
    MPI_Win_unlock(0, win);
  } else if (rank == 2) {
    MPI_Recv(NULL, 0, MPI_INT, 1, 0, WORLD, IGNORE);
  }
  MPI_Barrier(WORLD);
  MPI_Win_lock_all(0, win);
  MPI_Get(&got, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
  MPI_Barrier(WORLD);
  MPI_Win_unlock_all(win);
  assert(got == 1);
  MPI_Win_free(&win);
  return finish();
}
