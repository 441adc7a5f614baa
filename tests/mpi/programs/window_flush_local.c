// mazurka: ranks=2 verdict=verified
// broken: verdict=finding finding=data_race
//
// A flush that is only local does not complete a put at its target.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  MPI_Win_lock_all(0, win);
  if (rank == 0) {
    int one = 1;
    MPI_Put(&one, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    EITHER(MPI_Win_flush_local(1, win), MPI_Win_flush(1, win));
    one = 2;
    MPI_Send(NULL, 0, MPI_INT, 1, 0, WORLD);
  } else {
    MPI_Recv(NULL, 0, MPI_INT, 0, 0, WORLD, IGNORE);
    assert(x[0] == 1);
  }
  MPI_Win_unlock_all(win);
  MPI_Win_free(&win);
  return finish();
}
