// mazurka: ranks=3 verdict=verified executions=4
// broken: verdict=finding finding=data_race
//
// A counter under a lock. Those who share it get in each other's way.
#include "pair.h"

int main(int argc, char** argv) {
  start(&argc, &argv);
  int x[2] = {0, 0};
  MPI_Win win;
  MPI_Win_create(x, sizeof x, sizeof(int), MPI_INFO_NULL, WORLD, &win);
  if (rank > 0) {
    int value = 0;
    MPI_Win_lock(EITHER(MPI_LOCK_SHARED, MPI_LOCK_EXCLUSIVE), 0, 0, win);
    MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    ++value;
    MPI_Put(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
  }
  MPI_Barrier(WORLD);
  if (rank == 0) assert(x[0] == 2);
  MPI_Win_free(&win);
  return finish();
}
